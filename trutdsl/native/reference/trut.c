/*
 * Trut for 2 or 4 players, in two teams: the variant `trut`. See play.h for what it is there for.
 * A card is suit * 8 + rank, rank 0 the strongest (7 8 A K Q J 10 9).
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

INLINE void play_deal(struct match *m, uint32_t players, uint64_t chance)
{
    const uint32_t round = players - 1;
    uint32_t on_lead = m->dealer;
    uint64_t stock = PACK, left = CARDS;

    memset(m->hand, 0, sizeof m->hand);
    for (uint32_t n = 0; n < IN_HAND; n++)
        for (uint32_t i = 1; i <= players; i++)
            m->hand[(on_lead + i) & round] |= draw(&stock, &chance, left--);

    m->caller = m->last_winner = -1;
    const int first_at = at_fortial(m, 0), second_at = at_fortial(m, 1);
    const int last_stand = first_at && second_at;
    if (UNLIKELY(first_at != second_at) && !fortial(m, players, second_at ? 1 : 0))
        return;

    /* Tricks won by team 0 less those by team 1, and the team that won the earliest one. */
    int32_t ahead = 0, earliest = -1, winner = -1;
    for (int32_t tricks_left = IN_HAND - 1; tricks_left >= 0; tricks_left--) {
        uint32_t best = RANKS, strongest = on_lead, tied = 0;
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

/* ------------------------------------------------------------ a match */

/* Each seat draws a card; the strongest deals, those tied draw again. */
INLINE uint32_t first_dealer(uint32_t players, uint64_t chance)
{
    uint64_t drawing = ((uint64_t)1 << players) - 1, stock = PACK, left = CARDS;
    while (drawing & (drawing - 1)) {
        if (UNLIKELY(left < count_bits(drawing)))
            stock = PACK, left = CARDS;
        uint64_t best_seats = 0;
        uint32_t best = RANKS;
        for (uint64_t rest = drawing; rest; rest &= rest - 1) {
            uint32_t rank = lowest(draw(&stock, &chance, left--)) & (RANKS - 1);
            if (rank < best)
                best = rank, best_seats = 0;
            if (rank == best)
                best_seats |= rest & -rest;
        }
        drawing = best_seats;
    }
    return (uint32_t)__builtin_ctzll(drawing);
}

static int64_t play_match(struct play *play, uint32_t players, int64_t *counters)
{
    struct match *m = (struct match *)play;
    m->longs[0] = m->longs[1] = m->petits[0] = m->petits[1] = 0;
    m->dealer = first_dealer(players, chance_stream(play, SETUP, 0));
    while (m->longs[0] < GOAL && m->longs[1] < GOAL) {
        play->deals++;
        play_deal(m, players, chance_stream(play, play->deals, m->dealer));
        if (m->last_winner >= 0)
            m->dealer = (uint32_t)m->last_winner;
    }
    for (uint32_t side = 0; side < TEAMS; side++) {
        counters[side] = m->longs[side];
        counters[TEAMS + side] = m->petits[side];
    }
    return m->longs[1] >= GOAL;
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
