/*
 * What the C programs of this folder share: streams of random numbers, sets of cards, questions,
 * and the run of many matches. They are only a yardstick for `trutdsl bench`; nothing else uses
 * them. Each is a variant written by hand, all parameters at their defaults, every seat playing
 * uniformly at random, in Trut for 2 also by scripts written by hand. It plays the same matches as the compiled variant: the same streams, the
 * same order of draws and of questions, so that what is noted of a match is equal, number by number.
 *
 * They assume GCC or Clang on a 64-bit machine (`unsigned __int128`), a stock that holds all cards
 * whenever it is shuffled, and rules that never fail. Each decision is one call through the seat's
 * entry in a table of policies, which get their own data, the match and the number of legal
 * actions, and return the rank of one of these; what is asked and the mask of legal actions lie in
 * the match.
 *
 * A program has the function `run_matches`, which knows certain numbers of players and plays
 * nothing with any other; that of Trut has `run_scripts` besides. What it keeps of a match begins with a `struct play`.
 */

#ifndef PLAY_H
#define PLAY_H

#include <stdint.h>
#include <string.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#define APART static __attribute__((noinline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { TEAMS = 2, MOST_SEATS = 4 };
enum { SETUP = 0 };

static const uint64_t GAMMA = 0x9E3779B97F4A7C15u;

typedef uint64_t (*policy)(void *seat, const void *match, uint64_t count);

struct seat {
    policy plays;
    uint64_t stream;
};

struct play {
    uint64_t legal;           /* the legal actions of the question that is asked */
    uint32_t asked, decision; /* which seat, and what */
    uint64_t decisions, deals; /* a decision is a choice among two legal actions or more */
    uint64_t chance; /* where all streams of the match's chance start from */
    struct seat seats[MOST_SEATS];
};

/* Plays a match; writes its counters, by team, and returns the team that wins it, or -1. */
typedef int64_t (*match_player)(struct play *play, uint32_t players, int64_t *counters);

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
APART uint64_t siphash(const uint64_t key[2], uint64_t count, uint64_t one, uint64_t two)
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

/* The stream of chance for a deal (the first has the part 1), or for what comes before it. */
INLINE uint64_t chance_stream(const struct play *play, uint64_t part)
{
    return with_part(play->chance, part);
}

/* keys: of chance, then of the seat's strategy, `apart` words behind that of the seat before. */
INLINE void start_streams(struct play *play, uint32_t players, const uint64_t *keys,
                          uint32_t apart, uint64_t match)
{
    play->chance = siphash(keys, 1, match, 0);
    for (uint32_t seat = 0; seat < players; seat++)
        play->seats[seat].stream = siphash(keys + 2 + apart * seat, 2, match, seat);
}

/* What is drawn instead of what was not fair, which is very rare. */
__attribute__((cold)) APART uint64_t redrawn(uint64_t *stream, uint64_t low, uint64_t high,
                                             uint64_t bound)
{
    const uint64_t least = -bound % bound;
    while (low < least) {
        const unsigned __int128 product = (unsigned __int128)mix(*stream += GAMMA) * bound;
        low = (uint64_t)product;
        high = (uint64_t)(product >> 64);
    }
    return high;
}

INLINE uint64_t drawn_below(uint64_t *stream, uint64_t state, uint64_t bound)
{
    const unsigned __int128 product = (unsigned __int128)mix(state) * bound;
    const uint64_t low = (uint64_t)product, high = (uint64_t)(product >> 64);
    return LIKELY(low >= bound) ? high : redrawn(stream, low, high, bound);
}

/* A number below `bound`; nothing is drawn for 1. */
INLINE uint64_t below(uint64_t *stream, uint64_t bound)
{
    if (bound == 1)
        return 0;
    const uint64_t state = *stream += GAMMA;
    return drawn_below(stream, state, bound);
}

/* The same where chance decides whether it is 1: nothing branches on that. */
INLINE uint64_t below_or_one(uint64_t *stream, uint64_t bound)
{
    const uint64_t state = *stream + GAMMA;
    *stream += bound == 1 ? 0 : GAMMA;
    return drawn_below(stream, state, bound);
}

/* ------------------------------------------------------------ sets of cards */

/* One of two masks by what only chance decides: moved, as a branch would often be guessed wrong. */
INLINE uint64_t choose(uint64_t condition, uint64_t one, uint64_t other)
{
#ifdef __x86_64__
    __asm__("test %1, %1\n\tcmovne %2, %0" : "+r"(other) : "r"(condition), "rm"(one) : "cc");
    return other;
#else
    return condition ? one : other;
#endif
}

INLINE uint64_t count_bits(uint64_t mask) { return (uint64_t)__builtin_popcountll(mask); }

/* The set bit that `rank` others lie below. */
INLINE uint64_t pick_bit(uint64_t mask, uint64_t rank)
{
#ifdef __BMI2__
    return _pdep_u64((uint64_t)1 << rank, mask);
#else
    while (rank--)
        mask &= mask - 1;
    return mask & -mask;
#endif
}

/* The number of the lowest set bit: of cards of a suit, the strongest. */
INLINE uint32_t lowest(uint64_t mask) { return (uint32_t)__builtin_ctzll(mask); }

INLINE uint32_t pick(uint64_t mask, uint64_t rank) { return lowest(pick_bit(mask, rank)); }

/* Draws a card of the stock, a mask; returns its bit. Where every seat gets one, they are drawn in
 * the order of the seats, whoever deals. */
INLINE uint64_t draw(uint64_t *stock, uint64_t *chance, uint64_t left)
{
    const uint64_t bit = pick_bit(*stock, below(chance, left));
    *stock ^= bit;
    return bit;
}

/* Forty Spanish cards: each suit has sixteen bits, the strongest rank the lowest of them. */
enum { SPANISH_CARDS = 40, SUIT_BITS = 16 };
static const uint64_t SPANISH_PACK = 0x03FF03FF03FF03FFu;

/* ------------------------------------------------------------ questions */

/* The policy that takes every legal action equally often. */
static inline uint64_t uniform(void *seat, const void *match, uint64_t count)
{
    (void)match;
    return below(&((struct seat *)seat)->stream, count);
}

/* The same, faster in games in which often only one action is legal. */
static inline uint64_t uniform_or_one(void *seat, const void *match, uint64_t count)
{
    (void)match;
    return below_or_one(&((struct seat *)seat)->stream, count);
}

INLINE uint64_t ask(struct play *play, uint32_t seat, uint32_t decision, uint64_t legal,
                    uint64_t count)
{
    play->legal = legal;
    play->asked = seat;
    play->decision = decision;
    uint64_t rank = play->seats[seat].plays(&play->seats[seat], play, count);
    play->decisions += count > 1;
    return rank;
}

/* One of so many actions that are always legal: 0, 1, ... */
INLINE uint64_t ask_of(struct play *play, uint32_t seat, uint32_t decision, uint32_t actions)
{
    return ask(play, seat, decision, ((uint64_t)1 << actions) - 1, actions);
}

/* ------------------------------------------------------------ matches */

/* Plays the matches `first` to before `beyond` by the policies of the seats. keys: the two halves of
 * the key of chance, then those of the strategies, see `start_streams`; rows: the winner, deals,
 * decisions and counters of each match, one behind the other, as the compiled variant notes them. */
INLINE void play_seated(struct play *play, match_player play_match, uint32_t counters,
                        uint32_t players, const uint64_t *keys, uint32_t apart, uint64_t first,
                        uint64_t beyond, int64_t *rows)
{
    for (uint64_t match = first; match < beyond; match++) {
        start_streams(play, players, keys, apart, match);
        play->decisions = play->deals = 0;
        rows[0] = play_match(play, players, rows + 3);
        rows[1] = (int64_t)play->deals;
        rows[2] = (int64_t)play->decisions;
        rows += 3 + TEAMS * counters;
    }
}

/* The same with one policy on all seats; keys: of chance, then of the strategy `uniform`. */
INLINE void play_matches(struct play *play, policy plays, match_player play_match,
                         uint32_t counters, uint32_t players, const uint64_t keys[4],
                         uint64_t first, uint64_t beyond, int64_t *rows)
{
    policy volatile chosen = plays; /* which function it is shall be known only when it runs */
    for (uint32_t seat = 0; seat < players; seat++)
        play->seats[seat].plays = chosen;
    play_seated(play, play_match, counters, players, keys, 0, first, beyond, rows);
}

#endif
