/*
 * Trut for 2 or 4 players, in two teams: the variant `trut`. See play.h for what it is there for.
 * A card is suit * 8 + rank, rank 0 the strongest (7 8 A K Q J 10 9).
 *
 * Two players can also be the strategies `caller` and `steady`, written by hand below. What these
 * look at is kept in the match only where they play: `watched`.
 */

#include "play.h"

enum { GOAL = 7, PETITS = 3, CARDS = 32, IN_HAND = 3, RANKS = 8 };
enum { FORTIAL, INTERRUPT, TURN, RESPOND };
enum { FORTIAL_TRUT = 0, INTERRUPT_TRUT = 1, RESPOND_ACCEPT = 0, TURN_TRUT = CARDS };

static const uint64_t PACK = 0xFFFFFFFFu;

struct match {
    struct play play;
    uint64_t hand[MOST_SEATS];
    uint32_t dealer;
    int32_t caller, last_winner; /* seats, or -1 */
    uint32_t longs[TEAMS], petits[TEAMS];
    uint64_t table[MOST_SEATS]; /* where it is watched: the card of each seat in this trick, */
    int32_t ahead;              /* and the tricks won by team 0 less those by team 1 */
};

/* ------------------------------------------------------------ scoring */

INLINE uint32_t team(uint32_t seat) { return seat & 1; }

INLINE void gain_petit(struct match *m, uint32_t side)
{
    if (++m->petits[side] == PETITS) {
        m->petits[side] = m->petits[side ^ 1] = 0;
        m->longs[side]++;
    }
}

INLINE int at_fortial(const struct match *m, uint32_t side)
{
    return m->longs[side] == GOAL - 1 && m->petits[side] == PETITS - 1;
}

/* ------------------------------------------------------------ a deal */

/* Somebody has called trut. Returns whether the deal goes on; if not, it is scored. */
INLINE int call(struct match *m, uint32_t players, uint32_t caller)
{
    m->caller = (int32_t)caller;
    for (uint32_t i = 1; i < players; i += 2)
        if (ask_of(&m->play, (caller + i) & (players - 1), RESPOND, 2) == RESPOND_ACCEPT)
            return 1;
    gain_petit(m, team(caller));
    return 0;
}

/* The team alone at the fortial calls trut or gives a petit. Returns whether the deal goes on. */
APART int fortial(struct match *m, uint32_t players, uint32_t side)
{
    for (uint32_t i = 0; i < players; i++) {
        uint32_t seat = (m->dealer + i) & (players - 1);
        if (team(seat) == side && ask_of(&m->play, seat, FORTIAL, 2) == FORTIAL_TRUT) {
            m->caller = (int32_t)seat;
            return 1;
        }
    }
    gain_petit(m, side ^ 1);
    return 0;
}

INLINE void play_deal(struct match *m, uint32_t players, uint64_t chance, int watched)
{
    const uint32_t round = players - 1;
    uint32_t on_lead = m->dealer;
    uint64_t stock = PACK, left = CARDS;

    memset(m->hand, 0, sizeof m->hand);
    for (uint32_t n = 0; n < IN_HAND; n++)
        for (uint32_t seat = 0; seat < players; seat++)
            m->hand[seat] |= draw(&stock, &chance, left--);

    m->caller = m->last_winner = -1;
    if (watched) {
        m->ahead = 0;
        memset(m->table, 0, sizeof m->table);
    }
    const int first_at = at_fortial(m, 0), second_at = at_fortial(m, 1);
    const int last_stand = first_at && second_at;
    if (UNLIKELY(first_at != second_at) && !fortial(m, players, second_at ? 1 : 0))
        return;

    /* Tricks won by team 0 less those by team 1, and the team that won the earliest one. */
    int32_t ahead = 0, earliest = -1, winner = -1;
    for (int32_t tricks_left = IN_HAND - 1; tricks_left >= 0; tricks_left--) {
        uint32_t best = RANKS, strongest = on_lead, tied = 0;
        if (watched)
            memset(m->table, 0, sizeof m->table);
        for (uint32_t i = 0; i < players; i++) {
            const uint32_t seat = (on_lead + i) & round;
            if (!last_stand && m->caller < 0)
                for (uint32_t j = 1; j < players; j++) {
                    const uint32_t other = (seat + j) & round;
                    if (ask_of(&m->play, other, INTERRUPT, 2) == INTERRUPT_TRUT) {
                        if (!call(m, players, other))
                            return;
                        break;
                    }
                }
            const uint64_t hand = m->hand[seat], cards = (uint64_t)tricks_left + 1;
            uint32_t card;
            if (!last_stand && m->caller < 0) {
                const uint64_t legal = hand | (uint64_t)1 << TURN_TRUT;
                card = pick(legal, ask(&m->play, seat, TURN, legal, cards + 1));
                if (card == TURN_TRUT) {
                    if (!call(m, players, seat))
                        return;
                    card = pick(hand, ask(&m->play, seat, TURN, hand, cards));
                }
            } else {
                card = pick(hand, ask(&m->play, seat, TURN, hand, cards));
            }
            m->hand[seat] = hand ^ (uint64_t)1 << card;
            if (watched)
                m->table[seat] = (uint64_t)1 << card;
            const uint32_t rank = card & (RANKS - 1);
            if (rank < best) {
                best = rank;
                strongest = seat;
                tied = 0;
            } else if (rank == best) {
                tied |= team(seat ^ strongest);
            }
        }
        on_lead = strongest;
        if (!tied) {
            ahead += team(strongest) ? -1 : 1;
            if (earliest < 0)
                earliest = (int32_t)team(strongest);
            m->last_winner = (int32_t)strongest;
        }
        if (watched)
            m->ahead = ahead;
        if (ahead > tricks_left || (ahead == tricks_left && earliest == 0)) {
            winner = 0;
            break;
        }
        if (-ahead > tricks_left || (-ahead == tricks_left && earliest == 1)) {
            winner = 1;
            break;
        }
    }

    if (winner < 0)
        return;
    if (m->caller < 0) {
        gain_petit(m, (uint32_t)winner);
    } else {
        m->petits[winner ^ 1] = 0;
        m->longs[winner]++;
    }
}

/* ------------------------------------------------------------ strategies */

static const uint64_t ONE_RANK = 0x01010101u; /* the cards of rank 0 */

/* The ranks of which there are cards, as a mask. */
INLINE uint64_t ranks_of(uint64_t cards)
{
    cards |= cards >> 16;
    return (cards | cards >> 8) & 0xFF;
}

INLINE uint64_t of_rank(uint64_t cards, uint32_t rank) { return cards & ONE_RANK << rank; }

/* The first card of the strongest rank, or of the weakest. */
INLINE uint32_t strongest_card(uint64_t cards)
{
    return lowest(of_rank(cards, lowest(ranks_of(cards))));
}

INLINE uint32_t weakest_card(uint64_t cards)
{
    return lowest(of_rank(cards, 63 - (uint32_t)__builtin_clzll(ranks_of(cards))));
}

/* What the two strongest cards count together; a 7 counts 8, a 9 counts 1. */
INLINE int32_t two_best(uint64_t cards)
{
    if (!cards)
        return 0;
    const uint64_t ranks = ranks_of(cards), others = ranks & (ranks - 1);
    const uint32_t best = lowest(ranks), alike = count_bits(of_rank(cards, best)) > 1;
    const uint32_t second = alike ? best : others ? lowest(others) : RANKS;
    return (int32_t)(2 * RANKS - best - second);
}

/* A hand worth so many hundredths of the two strongest cards of the pack, a trick ahead 50 of them. */
INLINE int strong(const struct match *m, int32_t enough)
{
    const uint32_t me = m->play.asked;
    const int32_t ahead = team(me) ? -m->ahead : m->ahead;
    return 100 * (two_best(m->hand[me] | m->table[me]) + RANKS * ahead) >= 2 * enough * RANKS;
}

/* The card that `steady` plays: the strongest to lead, else the weakest that wins, else the weakest. */
INLINE uint32_t steady_card(const struct match *m)
{
    const uint64_t hand = m->hand[m->play.asked], other = m->table[m->play.asked ^ 1];
    if (!other)
        return strongest_card(hand);
    const uint64_t better = ONE_RANK * (((uint64_t)1 << (lowest(other) & (RANKS - 1))) - 1);
    return weakest_card(hand & better ? hand & better : hand);
}

static uint64_t steady(void *seat, const void *match, uint64_t count)
{
    enum { CALL = 80, SEE = 55 };
    const struct match *m = match;
    (void)seat;
    switch (m->play.decision) {
    case FORTIAL:
        return strong(m, SEE) ? FORTIAL_TRUT : !FORTIAL_TRUT;
    case RESPOND:
        return strong(m, SEE) ? RESPOND_ACCEPT : !RESPOND_ACCEPT;
    case INTERRUPT:
        return strong(m, CALL) ? INTERRUPT_TRUT : !INTERRUPT_TRUT;
    default:
        if (m->play.legal >> TURN_TRUT && strong(m, CALL))
            return count - 1;
        return count_bits(m->play.legal & (((uint64_t)1 << steady_card(m)) - 1));
    }
}

static uint64_t caller(void *seat, const void *match, uint64_t count)
{
    const struct match *m = match;
    switch (m->play.decision) {
    case FORTIAL:
        return FORTIAL_TRUT;
    case RESPOND:
        return RESPOND_ACCEPT;
    case INTERRUPT:
        return INTERRUPT_TRUT;
    default:
        return m->play.legal >> TURN_TRUT ? count - 1 : uniform(seat, match, count);
    }
}

/* ------------------------------------------------------------ a match */

/* The cards of a stock, those of them that lie aside for seats, and which these are. */
struct aside {
    uint64_t stock, kept, chance;
    uint64_t of[MOST_SEATS][CARDS];
    uint32_t laid, taken[MOST_SEATS];
};

INLINE void lay_nothing_aside(struct aside *a)
{
    a->kept = a->laid = 0;
    memset(a->taken, 0, sizeof a->taken);
}

/* Draws a card for a seat: the one that lies aside for it, after one was laid aside for each. */
INLINE uint64_t draw_for(struct aside *a, uint32_t seat, uint32_t players)
{
    uint64_t free = a->stock & ~a->kept, left = count_bits(free);
    if (a->taken[seat] == a->laid) {
        if (UNLIKELY(left < players)) {
            lay_nothing_aside(a);
            return draw(&a->stock, &a->chance, count_bits(a->stock));
        }
        for (uint32_t other = 0; other < players; other++)
            a->of[other][a->laid] = draw(&free, &a->chance, left--);
        a->laid++;
        a->kept = a->stock & ~free;
    }
    const uint64_t bit = a->of[seat][a->taken[seat]++];
    a->stock ^= bit;
    a->kept ^= bit;
    return bit;
}

/* Each seat draws a card; the strongest deals, those tied draw again. */
INLINE uint32_t first_dealer(uint32_t players, uint64_t chance)
{
    uint64_t drawing = ((uint64_t)1 << players) - 1;
    struct aside a;
    a.stock = PACK;
    a.chance = chance;
    lay_nothing_aside(&a);
    while (drawing & (drawing - 1)) {
        if (UNLIKELY(count_bits(a.stock) < count_bits(drawing))) {
            a.stock = PACK;
            lay_nothing_aside(&a);
        }
        uint64_t best_seats = 0;
        uint32_t best = RANKS;
        for (uint64_t rest = drawing; rest; rest &= rest - 1) {
            uint32_t rank = lowest(draw_for(&a, lowest(rest), players)) & (RANKS - 1);
            if (rank < best)
                best = rank, best_seats = 0;
            if (rank == best)
                best_seats |= rest & -rest;
        }
        drawing = best_seats;
    }
    return (uint32_t)__builtin_ctzll(drawing);
}

INLINE int64_t play_whole(struct play *play, uint32_t players, int64_t *counters, int watched)
{
    struct match *m = (struct match *)play;
    m->longs[0] = m->longs[1] = m->petits[0] = m->petits[1] = 0;
    m->dealer = first_dealer(players, chance_stream(play, SETUP));
    while (m->longs[0] < GOAL && m->longs[1] < GOAL) {
        play->deals++;
        play_deal(m, players, chance_stream(play, play->deals), watched);
        if (m->last_winner >= 0)
            m->dealer = (uint32_t)m->last_winner;
    }
    for (uint32_t side = 0; side < TEAMS; side++) {
        counters[side] = m->longs[side];
        counters[TEAMS + side] = m->petits[side];
    }
    return m->longs[1] >= GOAL;
}

static int64_t play_match(struct play *play, uint32_t players, int64_t *counters)
{
    return play_whole(play, players, counters, 0);
}

static int64_t play_watched(struct play *play, uint32_t players, int64_t *counters)
{
    return play_whole(play, players, counters, 1);
}

APART void for_two(const uint64_t keys[4], uint64_t first, uint64_t beyond, int64_t *rows)
{
    struct match m;
    play_matches(&m.play, uniform, play_match, 2, 2, keys, first, beyond, rows);
}

APART void for_four(const uint64_t keys[4], uint64_t first, uint64_t beyond, int64_t *rows)
{
    struct match m;
    play_matches(&m.play, uniform, play_match, 2, 4, keys, first, beyond, rows);
}

void run_matches(int players, const uint64_t keys[4], uint64_t first, uint64_t beyond,
                 int64_t *rows)
{
    if (players == 2)
        for_two(keys, first, beyond, rows);
    else if (players == 4)
        for_four(keys, first, beyond, rows);
}

/* Plays matches of strategies for two. plays: 0 for `caller`, 1 for `steady`, for each seat; keys:
 * the two halves of the key of chance, then those of each seat's strategy. */
void run_scripts(const int plays[2], const uint64_t keys[6], uint64_t first, uint64_t beyond,
                 int64_t *rows)
{
    static const policy scripts[] = {caller, steady};
    struct match m;
    for (uint32_t seat = 0; seat < 2; seat++)
        m.play.seats[seat].plays = scripts[plays[seat]];
    play_seated(&m.play, play_watched, 2, 2, keys, 2, first, beyond, rows);
}
