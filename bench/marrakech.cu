/* Marrakech in CUDA C, to measure the kernel on a GPU by: three players, fifteen rugs each, the
 * same rules, generator and order of choices as `marrakech.c`, one game in each thread, everything
 * in registers. `bench/gpu.py` checks that it plays the very same games.
 */
typedef unsigned long long u64;
typedef unsigned int u32;

enum { PLAYERS = 3, RUGS = 15, DIRHAMS = 30, CENTRE = 24, SOUTH = 2, RESULTS = 1 + 2 * PLAYERS };

#define FILE_A 0x40810204081ULL
#define ALL ((1ULL << 49) - 1)
#define NOT_FILE_A (ALL & ~FILE_A)
#define NOT_FILE_G (ALL & ~(FILE_A << 6))
#define EACH_PLAYER _Pragma("unroll") for (int p = 0; p < PLAYERS; p++)

/* walk: square | facing << 6, by die, facing, square. */
extern "C" __global__ void __launch_bounds__(128) play_games(
    const unsigned char *__restrict__ walk, const u64 *__restrict__ beside_rank,
    const u64 *__restrict__ beside_file, u64 seed, u64 first, int games, int *results) {
    int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= games) return;
    u32 game0 = (u32)(first + item), game1 = (u32)((first + item) >> 32), block = 0;
    u32 w0 = 0, w1 = 0, w2 = 0, w3 = 0;
    u64 board[PLAYERS] = {0}, pairs_rank = 0, pairs_file = 0;
    int square = CENTRE, facing = SOUTH, mover = 0, turns = 0, players_in = PLAYERS;
    int dirhams[PLAYERS], rugs[PLAYERS], out[PLAYERS] = {0};
    EACH_PLAYER {
        dirhams[p] = DIRHAMS;
        rugs[p] = RUGS;
    }
    for (;;) {
        if ((turns & 3) == 0) {
            u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);
            w0 = block++, w1 = 0, w2 = game0, w3 = game1;
#pragma unroll
            for (int i = 0; i < 10; i++) {
                u32 high0 = __umulhi(0xD2511F53, w0), low0 = 0xD2511F53 * w0;
                u32 high1 = __umulhi(0xCD9E8D57, w2), low1 = 0xCD9E8D57 * w2;
                w0 = high1 ^ w1 ^ k0;
                w2 = high0 ^ w3 ^ k1;
                w1 = low1;
                w3 = low0;
                k0 += 0x9E3779B9;
                k1 += 0xBB67AE85;
            }
        }
        facing = (facing + __umulhi(w0, 3) + 3) & 3;
        u32 chance = w0 * 3;
        int landing = __ldg(walk + (((__umulhi(chance, 6) + 1) >> 1) * 4 + facing) * 49 + square);
        chance *= 6;
        w0 = w1, w1 = w2, w2 = w3;
        square = landing & 63;
        facing = landing >> 6;
        u64 colour = 0;
        int owner = -1, purse = 0, is_out = 0;
        EACH_PLAYER {
            if (p == mover) purse = dirhams[p];
            else if ((board[p] >> square & 1) && !out[p]) owner = p, colour = board[p];
        }
        if (owner >= 0) {
            u64 area = 0, grown = 1ULL << square;
            while (grown != area) {
                area = grown;
                grown = (area | (area & NOT_FILE_G) << 1 | (area & NOT_FILE_A) >> 1 | area << 7 | area >> 7) & colour;
            }
            int tax = __popcll(area), paid = min(tax, purse);
            EACH_PLAYER {
                if (p == mover) dirhams[p] -= paid;
                if (p == owner) dirhams[p] += paid;
            }
            is_out = paid < tax;
        }
        if (is_out) {
            EACH_PLAYER if (p == mover) {
                out[p] = PLAYERS + 1 - players_in;
                rugs[p] = 0;
            }
            players_in--;
        } else {
            u64 rank = __ldg(beside_rank + square) & ~pairs_rank;
            u64 file = __ldg(beside_file + square) & ~pairs_file;
            int along_rank = __popcll(rank);
            int skip = __umulhi(chance, along_rank + __popcll(file));
            bool along_file = skip >= along_rank;
            u64 free = along_file ? file : rank;
            if (along_file) skip -= along_rank;
            while (skip--) free &= free - 1;
            u64 corner = free & -free, covered = corner | (along_file ? corner << 7 : corner << 1);
            pairs_rank = (pairs_rank & ~(covered | covered >> 1)) | (along_file ? 0 : corner);
            pairs_file = (pairs_file & ~(covered | covered >> 7)) | (along_file ? corner : 0);
            EACH_PLAYER {
                board[p] &= ~covered;
                if (p == mover) {
                    board[p] |= covered;
                    rugs[p]--;
                }
            }
        }
        turns++;
        u32 seats = 0;
        EACH_PLAYER if (rugs[p] > 0) seats |= 1 << p;
        if (seats == 0 || players_in < 2) break;
        mover += __ffs((seats | seats << PLAYERS) >> (mover + 1));
        if (mover >= PLAYERS) mover -= PLAYERS;
    }
    results += (u64)item * RESULTS;
    results[0] = turns;
    long long standing[PLAYERS], best = -PLAYERS;
    int tied = 0;
    EACH_PLAYER {
        int score = out[p] ? 0 : dirhams[p] + __popcll(board[p]);
        results[1 + p] = score;
        standing[p] = out[p] ? out[p] - PLAYERS - 1 : (long long)score << 31 | dirhams[p];
        best = max(best, standing[p]);
    }
    EACH_PLAYER tied += standing[p] == best;
    EACH_PLAYER results[1 + PLAYERS + p] = standing[p] == best ? 60 / tied : 0;
}
