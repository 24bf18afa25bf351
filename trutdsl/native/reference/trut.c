/*
 * Trut written by hand in C: the variant `trut` for 2 or 4 players, in two teams, all parameters at
 * their defaults, every seat playing uniformly at random. It is there only as a yardstick for
 * `trutdsl bench`, and nothing else uses it. It plays the same matches as the compiled variant: the
 * same streams of random numbers, the same order of draws and of questions, so that all totals are
 * equal. It assumes GCC or Clang on a 64-bit machine (`unsigned __int128`), the cards numbered
 * suit * 8 + rank with rank 0 strongest (7 8 A K Q J 10 9), a stock that holds all 32 cards
 * whenever it is shuffled, and rules that never fail. Each decision is one call through the seat's entry in
 * a table of policies, which get their own data, the match and the number of legal actions, and
 * return the rank of one of these; what is asked and the mask of legal actions lie in the match.
 */

#include <stdint.h>
#include <string.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { GOAL = 7, PETITS = 3, CARDS = 32, IN_HAND = 3, RANKS = 8, MOST_SEATS = 4 };
enum { SETUP = 0 };
enum { FORTIAL, INTERRUPT, TURN, RESPOND };
enum { FORTIAL_TRUT = 0, INTERRUPT_TRUT = 1, RESPOND_ACCEPT = 0, TURN_TRUT = CARDS };

static const uint64_t GAMMA = 0x9E3779B97F4A7C15u;
static const uint64_t PACK = 0xFFFFFFFFu;

typedef uint64_t (*policy)(void *seat, const void *state, uint64_t count);

struct seat {
    policy plays;
    uint64_t stream;
};

struct match {
    uint64_t legal; /* the legal actions of the question that is asked */
    uint64_t decisions, deals;
    uint64_t hand[MOST_SEATS];
    uint32_t asked, decision; /* which seat, and what */
    uint32_t dealer;
    int32_t caller, last_winner; /* seats, or -1 */
    uint32_t longs[2], petits[2];
    struct seat seats[MOST_SEATS];
};

/* ------------------------------------------------------------ random numbers */

INLINE uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* The start of a stream, one more part taken in. */
INLINE uint64_t with_part(uint64_t start, uint64_t part) { return mix(start + GAMMA + part); }

INLINE uint64_t rotated(uint64_t word, int by) { return word << by | word >> (64 - by); }

INLINE void sip_round(uint64_t v[4])
{
    v[0] += v[1], v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0], v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32) + v[3], v[2] += v[1];
    v[1] = rotated(v[1], 17) ^ v[2], v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

/* SipHash-2-4 of one or two words. */
static uint64_t siphash(const uint64_t key[2], uint64_t count, uint64_t one, uint64_t two)
{
    uint64_t words[3] = {one, two, 0};
    uint64_t v[4] = {0x736F6D6570736575u ^ key[0], 0x646F72616E646F6Du ^ key[1],
                     0x6C7967656E657261u ^ key[0], 0x7465646279746573u ^ key[1]};
    words[count] = 8 * count << 56;
    for (uint64_t i = 0; i <= count; i++) {
        v[3] ^= words[i];
        sip_round(v), sip_round(v);
        v[0] ^= words[i];
    }
    v[2] ^= 0xFF;
    sip_round(v), sip_round(v), sip_round(v), sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

INLINE uint64_t next64(uint64_t *stream) { return mix(*stream += GAMMA); }

/* A number below `bound`; nothing is drawn for 1. */
INLINE uint64_t below(uint64_t *stream, uint64_t bound)
{
    if (bound == 1)
        return 0;
    unsigned __int128 product = (unsigned __int128)next64(stream) * bound;
    if (UNLIKELY((uint64_t)product < bound)) {
        uint64_t least = -bound % bound;
        while ((uint64_t)product < least)
            product = (unsigned __int128)next64(stream) * bound;
    }
    return (uint64_t)(product >> 64);
}

/* ------------------------------------------------------------ masks */

INLINE uint64_t count_bits(uint64_t mask) { return (uint64_t)__builtin_popcountll(mask); }

/* The number of the set bit that `rank` others lie below. */
INLINE uint32_t pick(uint64_t mask, uint64_t rank)
{
#ifdef __BMI2__
    return (uint32_t)__builtin_ctzll(_pdep_u64((uint64_t)1 << rank, mask));
#else
    while (rank--)
        mask &= mask - 1;
    return (uint32_t)__builtin_ctzll(mask);
#endif
}

INLINE uint32_t draw(uint64_t *stock, uint64_t *chance, uint64_t left)
{
    uint32_t card = pick(*stock, below(chance, left));
    *stock ^= (uint64_t)1 << card;
    return card;
}

/* ------------------------------------------------------------ questions */

static uint64_t uniform(void *seat, const void *state, uint64_t count)
{
    (void)state;
    return below(&((struct seat *)seat)->stream, count);
}

INLINE uint64_t ask(struct match *m, uint32_t seat, uint32_t decision, uint64_t legal,
                    uint64_t count)
{
    m->legal = legal;
    m->asked = seat;
    m->decision = decision;
    uint64_t rank = m->seats[seat].plays(&m->seats[seat], m, count);
    m->decisions++;
    return rank;
}

/* One of two actions that are always legal: 0 or 1. */
INLINE uint64_t ask_either(struct match *m, uint32_t seat, uint32_t decision)
{
    return ask(m, seat, decision, 3, 2);
}

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
        if (ask_either(m, (caller + i) & (players - 1), RESPOND) == RESPOND_ACCEPT)
            return 1;
    gain_petit(m, team(caller));
    return 0;
}

/* The team alone at the fortial calls trut or gives a petit. Returns whether the deal goes on. */
static __attribute__((noinline)) int fortial(struct match *m, uint32_t players, uint32_t side)
{
    for (uint32_t i = 0; i < players; i++) {
        uint32_t seat = (m->dealer + i) & (players - 1);
        if (team(seat) == side && ask_either(m, seat, FORTIAL) == FORTIAL_TRUT) {
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
            m->hand[(on_lead + i) & round] |= (uint64_t)1 << draw(&stock, &chance, left--);

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
                    if (ask_either(m, other, INTERRUPT) == INTERRUPT_TRUT) {
                        if (!call(m, players, other))
                            return;
                        break;
                    }
                }
            const uint64_t hand = m->hand[seat], cards = (uint64_t)tricks_left + 1;
            uint32_t card;
            if (!last_stand && m->caller < 0) {
                const uint64_t legal = hand | (uint64_t)1 << TURN_TRUT;
                card = pick(legal, ask(m, seat, TURN, legal, cards + 1));
                if (card == TURN_TRUT) {
                    if (!call(m, players, seat))
                        return;
                    card = pick(hand, ask(m, seat, TURN, hand, cards));
                }
            } else {
                card = pick(hand, ask(m, seat, TURN, hand, cards));
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
            uint32_t rank = draw(&stock, &chance, left--) & (RANKS - 1);
            if (rank < best)
                best = rank, best_seats = 0;
            if (rank == best)
                best_seats |= rest & -rest;
        }
        drawing = best_seats;
    }
    return (uint32_t)__builtin_ctzll(drawing);
}

/* Plays a match; returns the team that wins it. */
INLINE uint32_t play_match(struct match *m, uint32_t players, const uint64_t keys[4],
                           uint64_t number)
{
    const uint64_t chance = siphash(keys, 1, number, 0);
    for (uint32_t seat = 0; seat < players; seat++)
        m->seats[seat].stream = siphash(keys + 2, 2, number, seat);
    m->decisions = m->deals = 0;
    m->longs[0] = m->longs[1] = m->petits[0] = m->petits[1] = 0;
    m->dealer = first_dealer(players, with_part(with_part(chance, SETUP), 0));
    for (;;) {
        m->deals++;
        play_deal(m, players, with_part(with_part(chance, m->deals), m->dealer));
        if (m->longs[0] >= GOAL)
            return 0;
        if (m->longs[1] >= GOAL)
            return 1;
        if (m->last_winner >= 0)
            m->dealer = (uint32_t)m->last_winner;
    }
}

INLINE void run(uint32_t players, const uint64_t keys[4], uint64_t first, uint64_t beyond,
                uint64_t *sums)
{
    policy volatile chosen = uniform; /* which function it is shall be known only when it runs */
    struct match m;
    memset(&m, 0, sizeof m);
    for (uint32_t seat = 0; seat < players; seat++)
        m.seats[seat].plays = chosen;
    uint64_t wins[2] = {0, 0}, deals = 0, decisions = 0;
    for (uint64_t number = first; number < beyond; number++) {
        wins[play_match(&m, players, keys, number)]++;
        deals += m.deals;
        decisions += m.decisions;
    }
    sums[0] = wins[0] + wins[1];
    sums[1] = deals;
    sums[2] = decisions;
    sums[3] = wins[0];
    sums[4] = wins[1];
}

static __attribute__((noinline)) void run2(const uint64_t keys[4], uint64_t first,
                                           uint64_t beyond, uint64_t *sums)
{
    run(2, keys, first, beyond, sums);
}

static __attribute__((noinline)) void run4(const uint64_t keys[4], uint64_t first,
                                           uint64_t beyond, uint64_t *sums)
{
    run(4, keys, first, beyond, sums);
}

/*
 * Plays the matches `first` to before `beyond`. keys: the two halves of the key of chance, then
 * those of the strategy `uniform`. sums: matches, deals, decisions, wins of team 0,
 * wins of team 1; all 0 for a number of players other than 2 and 4.
 */
void trut_run(int players, const uint64_t keys[4], uint64_t first, uint64_t beyond,
              uint64_t *sums)
{
    memset(sums, 0, 5 * sizeof *sums);
    if (players == 2)
        run2(keys, first, beyond, sums);
    else if (players == 4)
        run4(keys, first, beyond, sums);
}
