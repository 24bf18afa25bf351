/* Truc for 2 players: the variant `truc-catalan`. See play.h for what it is there for. */

#include "play.h"

enum { PLAYERS = 2, GOAL = 12, MOST_STAKE = 3 };
enum { CUT, DEAL, COMMIT, TURN, AFTER_PLAY, RESPOND };
enum { CUT_CUT = 0, DEAL_3 = 0, COMMIT_PLAY = 0, AFTER_PLAY_PASS = 0 };
enum { ACCEPT, FOLD, RETRUC };
enum { TURN_BET = 60 }; /* truc, to a stake of 1; the next one is retruc, to a stake of 2 */

struct match {
    struct play play;
    uint64_t hand[PLAYERS];
    int64_t points[PLAYERS]; /* each player is a team */
    uint32_t dealer, stake;
    uint32_t may_bet; /* a mask of seats */
};

INLINE uint32_t other(uint32_t seat) { return seat ^ 1; }

/* ------------------------------------------------------------ before the first lead */

INLINE int near_goal(const struct match *m, uint32_t seat) { return m->points[seat] == GOAL - 1; }

/* Three cards each, or one if the pack is not cut and the dealer wants so. */
INLINE uint32_t cut_or_tap(struct match *m)
{
    if (near_goal(m, 0) || near_goal(m, 1))
        return 3;
    if (ask_of(&m->play, other(m->dealer), CUT, 2) == CUT_CUT)
        return 3;
    return ask_of(&m->play, m->dealer, DEAL, 2) == DEAL_3 ? 3 : 1;
}

INLINE void deal(struct match *m, uint32_t amount, uint64_t chance)
{
    uint64_t stock = SPANISH_PACK, left = SPANISH_CARDS, hands[PLAYERS] = {0};
    for (uint32_t round = 0; round < amount; round++)
        for (uint32_t seat = 0; seat < PLAYERS; seat++)
            hands[seat] |= draw(&stock, &chance, left--);
    memcpy(m->hand, hands, sizeof hands);
}

/* One player alone near the goal plays for three points, or gives one away. Returns whether the
 * deal goes on; if not, it is scored. */
INLINE int commit(struct match *m)
{
    const int first = near_goal(m, 0), second = near_goal(m, 1);
    if (LIKELY(!first && !second))
        return 1;
    m->may_bet = 0;
    if (first && second)
        return 1;
    const uint32_t seat = second ? 1 : 0;
    if (ask_of(&m->play, seat, COMMIT, 2) == COMMIT_PLAY) {
        m->stake = MOST_STAKE;
        return 1;
    }
    m->points[other(seat)]++;
    return 0;
}

/* ------------------------------------------------------------ bets */

INLINE uint64_t may_bet(const struct match *m, uint32_t seat) { return m->may_bet >> seat & 1; }

/* Whoever answered with retruc is answered in turn. Returns whether the deal goes on; if not, it is
 * scored. */
INLINE int raise(struct match *m, uint32_t bettor)
{
    m->stake = 2;
    if (ask_of(&m->play, other(bettor), RESPOND, 2) == FOLD) {
        m->points[bettor] += m->stake;
        return 0;
    }
    m->stake = MOST_STAKE;
    m->may_bet = 0;
    return 1;
}

/* Truc to a stake of 1, which may be accepted with retruc; else retruc. Returns as `raise`. */
INLINE int bet(struct match *m, uint32_t bettor)
{
    if (m->stake == 2)
        return raise(m, bettor);
    const uint64_t answer = ask_of(&m->play, other(bettor), RESPOND, 3);
    if (answer == FOLD) {
        m->points[bettor]++;
        return 0;
    }
    if (answer == RETRUC)
        return raise(m, other(bettor));
    m->stake = 2;
    m->may_bet = 1u << other(bettor);
    return 1;
}

/* ------------------------------------------------------------ tricks */

/* Asks for a card, or for a bet and then a card. Returns the rank of the card, or -1 if a refused
 * bet ends the deal. */
INLINE int32_t take_turn(struct match *m, uint32_t seat)
{
    const uint64_t hand = m->hand[seat], bets = may_bet(m, seat) << (TURN_BET + m->stake - 1);
    const uint64_t legal = hand | bets;
    uint32_t card = pick(legal, ask(&m->play, seat, TURN, legal, count_bits(legal)));
    if (card >= TURN_BET) {
        if (!bet(m, seat))
            return -1;
        card = pick(hand, ask(&m->play, seat, TURN, hand, count_bits(hand)));
    }
    m->hand[seat] = hand ^ (uint64_t)1 << card;
    return card & (SUIT_BITS - 1);
}

/* One may also bet right after one's own card. Returns whether the deal goes on. */
INLINE int after_card(struct match *m, uint32_t seat)
{
    return !may_bet(m, seat) || ask_of(&m->play, seat, AFTER_PLAY, 2) == AFTER_PLAY_PASS ||
           bet(m, seat);
}

INLINE void play_deal(struct match *m)
{
    const uint64_t chance = chance_stream(&m->play, ++m->play.deals);
    m->stake = 1;
    m->may_bet = 3;
    const uint32_t amount = cut_or_tap(m);
    deal(m, amount, chance);
    if (!commit(m))
        return;

    /* Tricks won by seat 0 less those by seat 1, and the seat that won the earliest one: if none
     * was won, the deal goes to who did not deal it. */
    int32_t ahead = 0, earliest = -1;
    uint32_t on_lead = other(m->dealer), winner = on_lead;
    for (int32_t tricks_left = (int32_t)amount - 1; tricks_left >= 0; tricks_left--) {
        const uint32_t second = other(on_lead);
        const int32_t one = take_turn(m, on_lead);
        if (one < 0 || !after_card(m, on_lead))
            return;
        const int32_t two = take_turn(m, second);
        if (two < 0)
            return;
        if (one != two) {
            on_lead = one < two ? on_lead : second;
            ahead += on_lead ? -1 : 1;
            if (earliest < 0)
                earliest = (int32_t)on_lead;
        }
        const int32_t lead = ahead < 0 ? -ahead : ahead;
        winner = ahead < 0 ? 1 : ahead > 0 ? 0 : earliest < 0 ? winner : (uint32_t)earliest;
        if (lead > tricks_left || (lead == tricks_left && earliest == (int32_t)winner))
            break;
        if (tricks_left && !after_card(m, second))
            return;
    }
    m->points[winner] += m->stake;
}

/* ------------------------------------------------------------ a match */

static int64_t play_match(struct play *play, uint32_t players, int64_t *counters)
{
    (void)players;
    struct match *m = (struct match *)play;
    uint64_t chance = chance_stream(play, SETUP);
    m->dealer = (uint32_t)below(&chance, PLAYERS);
    m->points[0] = m->points[1] = 0;
    do {
        play_deal(m);
        m->dealer = other(m->dealer);
    } while (m->points[0] < GOAL && m->points[1] < GOAL);
    counters[0] = m->points[0];
    counters[1] = m->points[1];
    return m->points[1] >= GOAL;
}

void run_matches(int players, const uint64_t keys[4], uint64_t first, uint64_t beyond,
                 int64_t *rows)
{
    struct match m;
    if (players == PLAYERS)
        play_matches(&m.play, uniform, play_match, 1, PLAYERS, keys, first, beyond, rows);
}
