/* Marrakech in C, to measure the compiled kernel by: three players, fifteen rugs each, the same
 * rules, generator and order of choices, everything in one function and a turn fused as a C
 * programmer would write it. `bench/speed.py` compiles it with gcc -O3 -march=native and checks
 * that it plays the very same games.
 */
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;

enum { PLAYERS = 3, RUGS = 15, DIRHAMS = 30, CENTRE = 24, SOUTH = 2, RESULTS = 1 + 2 * PLAYERS };

#define FILE_A 0x40810204081ULL
#define ALL ((1ULL << 49) - 1)
#define NOT_FILE_A (ALL & ~FILE_A)
#define NOT_FILE_G (ALL & ~(FILE_A << 6))

/* Filled by the caller from the tables of the kernel. */
uint8_t walk_to[4 * 4 * 49]; /* square | facing << 6, by die, facing, square */
u64 beside_rank[49], beside_file[49];

typedef struct {
    u32 key0, key1, game0, game1, block, words[4];
    int left;
} Stream;

static inline void next_block(Stream *r) {
    u32 k0 = r->key0, k1 = r->key1, x0 = r->block++, x1 = 0, x2 = r->game0, x3 = r->game1;
    for (int i = 0; i < 10; i++) {
        u64 p0 = (u64)0xD2511F53 * x0, p1 = (u64)0xCD9E8D57 * x2;
        x0 = (u32)(p1 >> 32) ^ x1 ^ k0;
        x2 = (u32)(p0 >> 32) ^ x3 ^ k1;
        x1 = (u32)p1;
        x3 = (u32)p0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    r->words[3] = x0;
    r->words[2] = x1;
    r->words[1] = x2;
    r->words[0] = x3;
    r->left = 4;
}

static inline u32 word(Stream *r) {
    if (r->left == 0) next_block(r);
    return r->words[--r->left];
}

static inline u64 connected(u64 colour, int square) {
    u64 area = 0, grown = 1ULL << square;
    while (grown != area) {
        area = grown;
        grown = (area | (area & NOT_FILE_G) << 1 | (area & NOT_FILE_A) >> 1 | area << 7 | area >> 7) & colour;
    }
    return area;
}

/* How many turns the games took in all; a row of results for each game. */
int64_t play_games(u64 seed, int64_t first, int64_t games, int32_t *results) {
    int64_t all_turns = 0;
    for (int64_t game = first; game < first + games; game++, results += RESULTS) {
        Stream r = {(u32)seed, (u32)(seed >> 32), (u32)game, (u32)(game >> 32), 0, {0}, 0};
        u64 board[PLAYERS] = {0}, pairs_rank = 0, pairs_file = 0;
        int square = CENTRE, facing = SOUTH, mover = 0, turns = 0, players_in = PLAYERS;
        int dirhams[PLAYERS], rugs[PLAYERS], out[PLAYERS] = {0};
        for (int p = 0; p < PLAYERS; p++) {
            dirhams[p] = DIRHAMS;
            rugs[p] = RUGS;
        }
        for (;;) {
            u64 chance = (u64)word(&r) * 3;
            facing = (facing + (int)(chance >> 32) + 3) & 3;
            chance = (chance & 0xFFFFFFFF) * 6;
            int landing = walk_to[((((int)(chance >> 32) + 1) >> 1) * 4 + facing) * 49 + square];
            chance &= 0xFFFFFFFF;
            square = landing & 63;
            facing = landing >> 6;
            int is_out = 0;
            for (int p = 0; p < PLAYERS; p++)
                if (board[p] >> square & 1) {
                    if (p != mover && !out[p]) {
                        int tax = __builtin_popcountll(connected(board[p], square));
                        int paid = tax < dirhams[mover] ? tax : dirhams[mover];
                        dirhams[mover] -= paid;
                        dirhams[p] += paid;
                        is_out = paid < tax;
                    }
                    break;
                }
            if (is_out) {
                out[mover] = PLAYERS + 1 - players_in--;
                rugs[mover] = 0;
            } else {
                u64 rank = beside_rank[square] & ~pairs_rank, file = beside_file[square] & ~pairs_file;
                int along_rank = __builtin_popcountll(rank);
                int skip = (int)(chance * (u64)(along_rank + __builtin_popcountll(file)) >> 32);
                u64 corner, covered;
                if (skip < along_rank) {
                    while (skip--) rank &= rank - 1;
                    corner = rank & -rank;
                    covered = corner * 3;
                    pairs_file &= ~(covered | covered >> 7);
                    pairs_rank = (pairs_rank & ~(covered | covered >> 1)) | corner;
                } else {
                    skip -= along_rank;
                    while (skip--) file &= file - 1;
                    corner = file & -file;
                    covered = corner * 129;
                    pairs_rank &= ~(covered | covered >> 1);
                    pairs_file = (pairs_file & ~(covered | covered >> 7)) | corner;
                }
                for (int p = 0; p < PLAYERS; p++) board[p] &= ~covered;
                board[mover] |= covered;
                rugs[mover]--;
            }
            turns++;
            int next = mover, found = 0;
            if (players_in > 1)
                for (int i = 0; i < PLAYERS; i++) {
                    if (++next == PLAYERS) next = 0;
                    if (rugs[next] > 0) {
                        found = 1;
                        break;
                    }
                }
            if (!found) break;
            mover = next;
        }
        all_turns += turns;
        results[0] = turns;
        int64_t standing[PLAYERS], best = -PLAYERS;
        int tied = 0;
        for (int p = 0; p < PLAYERS; p++) {
            int score = out[p] ? 0 : dirhams[p] + __builtin_popcountll(board[p]);
            results[1 + p] = score;
            standing[p] = out[p] ? out[p] - PLAYERS - 1 : (int64_t)score << 31 | dirhams[p];
            if (standing[p] > best) best = standing[p];
        }
        for (int p = 0; p < PLAYERS; p++) tied += standing[p] == best;
        for (int p = 0; p < PLAYERS; p++)
            results[1 + PLAYERS + p] = standing[p] == best ? 60 / tied : 0;
    }
    return all_turns;
}
