/* Tute for 4 players, in two teams: the variant `tute`. See play.h for what it is there for. */

#include "play.h"

enum { PLAYERS = 4, IN_HAND = 10, ENOUGH = 101, NOBODY = -1 };
enum { KING = 2 }; /* its rank; the knight's is the next */
enum { TURN, SING };
enum { PASS = 0, FIRST_SONG = 1, TUTE = 5 };

static const uint64_t KINGS = 0x0004000400040004u, KNIGHTS = 0x0008000800080008u;
/* The points of each card: 11, 10, 4, 3 and 2 for the strongest of a suit. */
#define OF_A_SUIT 11, 10, 4, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
static const uint8_t WORTH[4 * SUIT_BITS] = {OF_A_SUIT, OF_A_SUIT, OF_A_SUIT, OF_A_SUIT};

struct match {
    struct play play;
    uint64_t hand[PLAYERS];
    uint64_t trump;  /* all cards of that suit */
    uint64_t unsung; /* the kings of the suits that may still be sung */
    uint64_t tutes;  /* not 0 if anybody was dealt four kings or four knights */
    int64_t points[TEAMS];
    uint8_t played_by[4 * SUIT_BITS];
    int64_t declared; /* the team that has declared tute, or NOBODY */
};

INLINE uint32_t seat_after(uint32_t seat, uint32_t turns) { return (seat + turns) & (PLAYERS - 1); }

INLINE uint32_t team(uint32_t seat) { return seat & 1; }

/* All cards of the suit of this one. */
INLINE uint64_t suit_of(uint32_t card) { return (uint64_t)0xFFFF << (card & 3 * SUIT_BITS); }

INLINE uint64_t has_tute(uint64_t hand) { return !(KINGS & ~hand) || !(KNIGHTS & ~hand); }

/* Deals all cards; the last one, the dealer's own, shows trump. */
INLINE void deal(struct match *m, uint32_t dealer, uint64_t chance)
{
    uint64_t stock = SPANISH_PACK, left = SPANISH_CARDS, hand[PLAYERS] = {0}, last[PLAYERS];
    for (uint32_t round = 0; round < IN_HAND; round++)
#pragma GCC unroll 4
        for (uint32_t seat = 0; seat < PLAYERS; seat++) {
            last[seat] = draw(&stock, &chance, left--);
            hand[seat] |= last[seat];
        }
    m->tutes = 0;
    for (uint32_t seat = 0; seat < PLAYERS; seat++) {
        m->hand[seat] = hand[seat];
        m->tutes |= has_tute(hand[seat]);
    }
    m->trump = suit_of(lowest(last[dealer]));
}

/* Plays any of these cards to a trick, a mask; returns the trick with it. */
INLINE uint64_t play_card(struct match *m, uint32_t seat, uint64_t playable, uint64_t trick)
{
    const uint64_t count = count_bits(playable);
    const uint64_t bit = pick_bit(playable, ask(&m->play, seat, TURN, playable, count));
    m->hand[seat] ^= bit;
    m->played_by[lowest(bit)] = (uint8_t)seat;
    return trick | bit;
}

/* Plays a trick; its points go to the team of whoever wins it. Returns that seat. */
INLINE uint32_t play_trick(struct match *m, uint32_t on_lead)
{
    uint64_t trick = play_card(m, on_lead, m->hand[on_lead], 0);
    const uint64_t trump = m->trump, led = suit_of(lowest(trick)), plain = trump & ~led;
#pragma GCC unroll 3
    for (uint32_t i = 1; i < PLAYERS; i++) {
        const uint32_t seat = seat_after(on_lead, i);
        const uint64_t hand = m->hand[seat], following = hand & led;
        const uint64_t higher = following & ((trick & led) ^ ((trick & led) - 1));
        uint64_t playable = choose(higher, higher, following);
        playable = choose(playable, playable, hand & trump);
        playable = choose(trick & plain, 0, playable);
        trick = play_card(m, seat, choose(playable, playable, hand), trick);
    }
    const uint64_t best = choose(trick & trump, trick & trump, trick & led);
    const uint32_t winner = m->played_by[lowest(best)];
    for (uint32_t i = 0; i < PLAYERS; i++, trick &= trick - 1)
        m->points[team(winner)] += WORTH[lowest(trick)];
    return winner;
}

/* The suits, each as the king's bit, that may be sung with these cards. */
INLINE uint64_t songs_in(const struct match *m, uint64_t hand)
{
    return hand & hand >> 1 & m->unsung;
}

/* Sings, or declares tute, as long as there is something and the player wants to. Returns whether
 * the deal goes on. */
INLINE int sing(struct match *m, uint32_t seat)
{
    const uint64_t hand = m->hand[seat], tute = has_tute(hand);
    uint64_t songs;
    while ((songs = songs_in(m, hand)) | tute) {
        uint64_t legal = 1 << PASS | tute << TUTE;
        for (uint32_t suit = 0; suit < 4; suit++)
            legal |= (songs >> (suit * SUIT_BITS + KING) & 1) << (FIRST_SONG + suit);
        const uint32_t action = pick(legal, ask(&m->play, seat, SING, legal, count_bits(legal)));
        if (action == PASS)
            return 1;
        if (action == TUTE) {
            m->declared = team(seat);
            return 0;
        }
        const uint64_t song = (uint64_t)1 << ((action - FIRST_SONG) * SUIT_BITS + KING);
        m->unsung ^= song;
        m->points[team(seat)] += song & m->trump ? 40 : 20;
        if (m->points[team(seat)] >= ENOUGH)
            return 0;
    }
    return 1;
}

/* The winner of a trick sings, then the partner. Returns whether the deal goes on. */
INLINE int sing_after_trick(struct match *m, uint32_t winner)
{
    const uint32_t partner = seat_after(winner, 2);
    const uint64_t one = m->hand[winner], other = m->hand[partner];
    if (LIKELY(!(songs_in(m, one) | songs_in(m, other) | m->tutes)))
        return 1;
    return sing(m, winner) && sing(m, partner);
}

INLINE void play_deal(struct match *m, uint32_t dealer)
{
    uint32_t on_lead = seat_after(dealer, 1);
    deal(m, dealer, chance_stream(&m->play, ++m->play.deals));
    m->unsung = KINGS;
    m->points[0] = m->points[1] = 0;
    m->declared = NOBODY;
    for (uint32_t trick = 0; trick < IN_HAND; trick++) {
        on_lead = play_trick(m, on_lead);
        if (m->points[team(on_lead)] >= ENOUGH || !sing_after_trick(m, on_lead))
            return;
    }
}

/* A match is a single deal, and drawn if that is tied. */
static int64_t play_match(struct play *play, uint32_t players, int64_t *counters)
{
    (void)players;
    struct match *m = (struct match *)play;
    uint64_t chance = chance_stream(play, SETUP);
    play_deal(m, (uint32_t)below(&chance, PLAYERS));
    counters[0] = m->points[0];
    counters[1] = m->points[1];
    counters[2] = counters[3] = 0;
    if (m->declared != NOBODY)
        return m->declared;
    if (m->points[0] == m->points[1])
        return NOBODY;
    const int64_t winner = m->points[1] > m->points[0];
    counters[2 + winner] = 1;
    return winner;
}

void run_matches(int players, const uint64_t keys[4], uint64_t first, uint64_t beyond,
                 int64_t *rows)
{
    struct match m;
    if (players == PLAYERS)
        play_matches(&m.play, uniform_or_one, play_match, 2, PLAYERS, keys, first, beyond, rows);
}
