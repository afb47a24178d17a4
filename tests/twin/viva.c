/* VIVA in C: a second writing of the rules, for comparing results and speed.
 *
 * The functions carry the names of rules.py, observation.py and of the engine, in their order; ids in brackets are
 * those of RULES.md. The records are those of Python: layout.h is generated from their dtypes. Constants, actions and
 * features are written out again on purpose, so that a slip in either place shows as a difference.
 *
 * Every array of a kernel arrives as a pointer and its number of rows.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "layout.h"

#define ARRAY(type, name) type *name, int64_t name##_rows

/* --- components.py, actions.py ------------------------------------------------------------------ */

enum { NONE = -1, PLAYERS = 6, HOUSES = 3, COLOURS = 6, KINDS = 21, HAND_SIZE = 5 };
enum { MOST_COPIES = 6, MOST_CARDS = 126, MOST_TURNS = 600 };
enum { PENALTY_BEFORE = 2, PENALTY_AFTER = 1, PENALTY_CAUGHT = 3 };
enum { MATCH_SINGLE_ROUND = 1 };

enum { PHASE_TURN, PHASE_HOUSE, PHASE_MORE, PHASE_DRAWN, PHASE_VIVA, PHASE_BLOCK, PHASE_CATCH, PHASES };
enum { SPOT_HOUSES, SPOT_GENERAL, SPOT_PERSONAL };
enum { TODO_NOTHING, TODO_FIRST_TURN, TODO_NEXT_TURN, TODO_INHERIT, TODO_END_ROUND };

/* By edition: 126 and 84 cards (VIV-005). */
static const int COPIES[2] = {6, 4};

/* Six types of one colour, then the fifteen pairs: red-pink, red-yellow, ... blue-purple (VIV-004, VIV-005). */
static const int COLOURS_OF[KINDS] = {
    1, 2, 4, 8, 16, 32,
    1 | 2, 1 | 4, 1 | 8, 1 | 16, 1 | 32,
    2 | 4, 2 | 8, 2 | 16, 2 | 32,
    4 | 8, 4 | 16, 4 | 32,
    8 | 16, 8 | 32,
    16 | 32,
};

/* Section 12 of RULES.md. */
enum {
    PLAY_TYPE = 0,
    HOUSE = 21,
    GENERAL_BLOCK = 24,
    PERSONAL_BLOCK = 25,
    DRAW = 26,
    END_PLAY = 27,
    CALL_VIVA = 28,
    DECLINE_VIVA = 29,
    CHOOSE_BLOCK = 30,
    CATCH = 51,
    LET_PASS = 52,
    ACTIONS = 53,
};

/* --- random.py ---------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t next_word(uint64_t *rng)
{
    *rng += 0x9E3779B97F4A7C15u;
    return mixed(*rng);
}

static uint64_t stream_key(uint64_t seed, uint64_t index)
{
    return mixed(seed ^ ((index + 1) * 0x94D049BB133111EBu));
}

static int below(uint64_t *rng, int n)
{
    return (int)(((next_word(rng) >> 32) * (uint64_t)n) >> 32);
}

static int draw_kind(uint64_t *rng, const int8_t *counts, int total)
{
    int left = below(rng, total);
    int kind = 0;
    while (left >= counts[kind])
        left -= counts[kind++];
    return kind;
}

static bool happens(uint64_t *rng, double probability)
{
    return (double)(next_word(rng) >> 11) * 0x1p-53 < probability;
}

/* --- moves.py ----------------------------------------------------------------------------------- */

static void offer(Moves *moves, int action)
{
    moves->at[moves->count++] = (int16_t)action;
}

static int pick(Stream *stream, const Moves *moves)
{
    return moves->at[below(&stream->rng, moves->count)];
}

static void write_mask(const Moves *moves, int8_t *mask)
{
    memset(mask, 0, ACTIONS);
    for (int i = 0; i < moves->count; i++)
        mask[moves->at[i]] = 1;
}

/* --- memory.py ---------------------------------------------------------------------------------- */

enum { DIGITS = 4, MOST_TOLD = 15, ALL_KINDS = (1 << KINDS) - 1 };

/* The types, as bits, that share a colour with a set of colours. */
static int32_t kinds_sharing(int colours)
{
    static int32_t table[1 << COLOURS];
    if (table[1] == 0)
        for (int c = 1; c < 1 << COLOURS; c++)
            for (int k = 0; k < KINDS; k++)
                if (COLOURS_OF[k] & c)
                    table[c] |= 1 << k;
    return table[colours];
}

static void forget_hands(State *s)
{
    memset(s->known, 0, sizeof s->known);
    for (int p = 0; p < PLAYERS; p++)
        for (int i = 0; i < DIGITS; i++)
            s->proven[p][i] = s->likely[p][i] = ALL_KINDS;
}

static int32_t unlimited(const int32_t *digits)
{
    return digits[0] & digits[1] & digits[2] & digits[3];
}

static void allow_one_more(int32_t *digits)
{
    int32_t carry = ALL_KINDS & ~unlimited(digits);
    for (int i = 0; i < DIGITS; i++) {
        int32_t digit = digits[i];
        digits[i] = digit ^ carry;
        carry &= digit;
    }
}

static void rule_out(int32_t *digits, int32_t kinds)
{
    for (int i = 0; i < DIGITS; i++)
        digits[i] &= ~kinds;
}

/* The kinds of which there may be that many. */
static int32_t as_many_as(const int32_t *digits, int count)
{
    int32_t more = 0, same = ALL_KINDS;
    if (count > MOST_TOLD)
        count = MOST_TOLD;
    for (int i = DIGITS - 1; i >= 0; i--)
        if (count >> i & 1) {
            same &= digits[i];
        } else {
            more |= same & digits[i];
            same &= ~digits[i];
        }
    return more | same;
}

static void lower(int32_t *digits, int count)
{
    int32_t borrow = as_many_as(digits, count) & ~unlimited(digits);
    for (int i = 0; i < DIGITS; i++) {
        int32_t digit = digits[i];
        digits[i] = digit ^ borrow;
        borrow &= ~digit;
    }
}

/* False for a kind that was ruled out. */
static bool allow_one_less(int32_t *digits, int k)
{
    int count = 0;
    for (int i = 0; i < DIGITS; i++)
        count |= (digits[i] >> k & 1) << i;
    if (count > 0)
        lower(digits, count);
    return count > 0;
}

/* A seat that should not have had the card plays in a way of its own. */
static void uncover(State *s, int p, int k)
{
    allow_one_less(s->proven[p], k);
    if (!allow_one_less(s->likely[p], k))
        memcpy(s->likely[p], s->proven[p], sizeof s->likely[p]);
}

static void show_card(State *s, int p, int k)
{
    if (s->known[p][k] == 0) {
        uncover(s, p, k);
        s->known[p][k] = 1;
    }
}

static void show_newest(State *s, int p, int k)
{
    lower(s->proven[p], 1);
    lower(s->likely[p], 1);
    s->known[p][k]++;
}

static void holds_no_more(State *s, int p, int32_t kinds)
{
    rule_out(s->proven[p], kinds);
    rule_out(s->likely[p], kinds);
}

/* --- rules.py: stack and discard (section 9) ---------------------------------------------------- */

/* The discard becomes the stack; failing that, the covered cards of the houses (VIV-091, VIV-092). */
static void refill_stack(State *s)
{
    if (s->seats == 2)  /* all cards but those of the other hand are known */
        for (int p = 0; p < 2; p++) {
            memcpy(s->known[p], s->hand[p], sizeof s->known[p]);
            holds_no_more(s, p, ALL_KINDS);
        }
    for (int k = 0; k < KINDS; k++) {
        s->stack[k] = s->discard[k];
        s->stack_size += s->discard[k];
        s->discard[k] = 0;
    }
    if (s->stack_size > 0)
        return;
    for (int k = 0; k < KINDS; k++) {
        s->stack[k] = s->covered[k];
        s->stack_size += s->covered[k];
        s->covered[k] = 0;
    }
    for (int h = 0; h < HOUSES; h++)
        if (s->height[h] > 1)
            s->height[h] = 1;
}

static bool card_can_be_had(State *s)
{
    if (s->stack_size == 0)
        refill_stack(s);
    return s->stack_size > 0;
}

static int take_from_stack(State *s)
{
    if (!card_can_be_had(s))
        return NONE;
    int k = draw_kind(&s->rng, s->stack, s->stack_size);
    s->stack[k]--;
    s->stack_size--;
    return k;
}

static int draw_card(State *s, int p)
{
    int k = take_from_stack(s);
    if (k != NONE) {
        s->hand[p][k]++;
        s->held[p]++;
        allow_one_more(s->proven[p]);
        allow_one_more(s->likely[p]);
    }
    return k;
}

/* As far as there are any (VIV-093). */
static void draw_cards(State *s, int p, int count)
{
    for (int i = 0; i < count; i++)
        draw_card(s, p);
}

static void give_up(State *s, int p, int k)
{
    s->hand[p][k]--;
    s->held[p]--;
    if (s->known[p][k] > 0)
        s->known[p][k]--;
    else
        uncover(s, p, k);
}

static void to_discard(State *s, int k)
{
    if (k != NONE)
        s->discard[k]++;
}

/* Houses and general blocking card go to the discard (VIV-064, VIV-080). */
static void clear_table(State *s)
{
    for (int h = 0; h < HOUSES; h++) {
        to_discard(s, s->top[h]);
        s->top[h] = NONE;
        s->height[h] = 0;
        s->placed[h] = 0;
    }
    for (int k = 0; k < KINDS; k++) {
        s->discard[k] += s->covered[k];
        s->covered[k] = 0;
    }
    to_discard(s, s->general);
    s->general = NONE;
}

/* --- rules.py: seats ---------------------------------------------------------------------------- */

/* The nearest active seat clockwise (VIV-020, VIV-029). */
static int seat_after(const State *s, int p)
{
    int q = (p + 1) % s->seats;
    while (!s->active[q])
        q = (q + 1) % s->seats;
    return q;
}

static int seat_before(const State *s, int p)
{
    int q = (p - 1 + s->seats) % s->seats;
    while (!s->active[q])
        q = (q - 1 + s->seats) % s->seats;
    return q;
}

static int highest(const int8_t *values)
{
    int most = 0;
    for (int p = 0; p < PLAYERS; p++)
        if (values[p] > most)
            most = values[p];
    return most;
}

static int still_in(const State *s)
{
    int count = 0;
    for (int p = 0; p < s->seats; p++)
        count += s->active[p];
    return count;
}

/* --- rules.py: blocked colours and matching (section 4) ----------------------------------------- */

static int colours_of(int k)
{
    return k == NONE ? 0 : COLOURS_OF[k];
}

/* VIV-032, VIV-034. */
static int blocked_colours(const State *s, int p)
{
    int colours = colours_of(s->general);
    if (s->owner == p)
        colours |= colours_of(s->personal);
    return colours;
}

/* Whether the house is empty or shares a colour (VIV-030, VIV-031). */
static bool accepts(const State *s, int h, int k)
{
    return s->top[h] == NONE || (colours_of(s->top[h]) & colours_of(k)) != 0;
}

/* VIV-033. */
static bool is_blocked(const State *s, int p, int k)
{
    return (colours_of(k) & blocked_colours(s, p)) != 0;
}

/* Into some house, keeping a card (VIV-056, VIV-131); with `bluff`, whatever the colours (VIV-117). */
static bool is_playable(const State *s, int p, int k)
{
    if (s->held[p] < 2)
        return false;
    if (s->options.bluff)
        return true;
    if (is_blocked(s, p, k))
        return false;
    for (int h = 0; h < HOUSES; h++)
        if (accepts(s, h, k))
            return true;
    return false;
}

static int only_card(const State *s, int p)
{
    for (int k = 0; k < KINDS; k++)
        if (s->hand[p][k] > 0)
            return k;
    return NONE;
}

/* VIV-075, VIV-076; with `bluff`, whatever the colours (VIV-124). */
static bool can_shed(const State *s, int p, int block)
{
    if (block == NONE || s->held[p] != 1)
        return false;
    return s->options.bluff || (colours_of(block) & colours_of(only_card(s, p))) != 0;
}

/* --- rules.py: legal actions (section 12) ------------------------------------------------------- */

/* D1 (VIV-040 to VIV-046). */
static void offer_turn(const State *s, Moves *moves, int p)
{
    for (int k = 0; k < KINDS; k++)
        if (s->hand[p][k] > 0 && is_playable(s, p, k))
            offer(moves, PLAY_TYPE + k);
    if (can_shed(s, p, s->general))
        offer(moves, GENERAL_BLOCK);
    if (s->owner == p && can_shed(s, p, s->personal))
        offer(moves, PERSONAL_BLOCK);
    offer(moves, DRAW);
}

/* All copies in one house, or all in different ones (VIV-054, VIV-130). */
static bool may_place(const State *s, int h)
{
    int copies = 0, used = 0;
    for (int i = 0; i < HOUSES; i++) {
        copies += s->placed[i];
        used += s->placed[i] > 0;
    }
    if (s->placed[h] > 0)
        return used == 1;
    if (copies > used)
        return false;
    return s->options.bluff || accepts(s, h, s->kind);
}

/* D2 and D3. */
static void offer_houses(const State *s, Moves *moves)
{
    for (int h = 0; h < HOUSES; h++)
        if (may_place(s, h))
            offer(moves, HOUSE + h);
}

static void legal(const State *s, Moves *moves)
{
    int p = s->seat;
    switch (s->phase) {
    case PHASE_TURN:
        offer_turn(s, moves, p);
        break;
    case PHASE_HOUSE:
        offer_houses(s, moves);
        break;
    case PHASE_MORE:
        offer_houses(s, moves);
        offer(moves, END_PLAY);
        break;
    case PHASE_DRAWN:
        offer(moves, PLAY_TYPE + s->drawn);
        offer(moves, END_PLAY);
        break;
    case PHASE_VIVA:
        offer(moves, CALL_VIVA);
        offer(moves, DECLINE_VIVA);
        break;
    case PHASE_BLOCK:
        for (int k = 0; k < KINDS; k++)
            if (s->hand[p][k] > 0)
                offer(moves, CHOOSE_BLOCK + k);
        break;
    default:
        offer(moves, CATCH);
        offer(moves, LET_PASS);
    }
}

/* --- rules.py: a turn (section 5) --------------------------------------------------------------- */

static void next_turn(State *s)
{
    s->todo = TODO_NEXT_TURN;
}

/* The kinds that the seat could get rid of now, whatever else is in hand. */
static int32_t kinds_to_play(const State *s, int p)
{
    if (s->held[p] == 1)
        return kinds_sharing(colours_of(s->general) | (s->owner == p ? colours_of(s->personal) : 0));
    int32_t kinds = 0;
    for (int h = 0; h < HOUSES; h++)
        kinds |= s->top[h] == NONE ? ALL_KINDS : kinds_sharing(colours_of(s->top[h]));
    return kinds & ~kinds_sharing(blocked_colours(s, p));
}

/* It may be played at once if that is possible (VIV-041 to VIV-045, VIV-133). */
static void take_card(State *s)
{
    int p = s->seat;
    int32_t passed_over = kinds_to_play(s, p);
    rule_out(s->likely[p], passed_over);
    int k = draw_card(s, p);
    if (k != NONE && is_playable(s, p, k)) {
        s->drawn = k;
        s->phase = PHASE_DRAWN;
    } else {
        if (s->held[p] > 2)
            rule_out(s->likely[p], passed_over);
        next_turn(s);
    }
}

/* --- rules.py: VIVA (section 7) ----------------------------------------------------------------- */

/* After a call the next seat plays, otherwise the turn begins now (VIV-073, VIV-083). */
static void after_block(State *s)
{
    if (s->calling)
        next_turn(s);
    else
        s->phase = PHASE_TURN;
}

/* A hand that is empty now takes a card (VIV-071, VIV-072, VIV-084). */
static void set_block(State *s, int k)
{
    int p = s->turn_of;
    give_up(s, p, k);
    s->general = k;
    if (s->held[p] == 0)
        draw_card(s, p);
    after_block(s);
}

/* Where there is no choice it is put down at once; a last card that cannot be replaced stays (VIV-132, VIV-094). */
static void ask_for_block(State *s)
{
    int p = s->turn_of;
    s->phase = PHASE_BLOCK;
    if (s->held[p] == 1 && !card_can_be_had(s)) {
        after_block(s);
        return;
    }
    int k = only_card(s, p);
    if (s->hand[p][k] == s->held[p]) {
        holds_no_more(s, p, ALL_KINDS & ~(1 << k));
        set_block(s, k);
    }
}

/* One colour on the tops of all three houses (VIV-060). */
static bool houses_share_colour(const State *s)
{
    int shared = ~0;
    for (int h = 0; h < HOUSES; h++)
        shared &= colours_of(s->top[h]);
    return shared != 0;
}

/* The personal card, if there is one, goes to the discard (VIV-067, VIV-082). */
static void clear_personal(State *s)
{
    to_discard(s, s->personal);
    s->personal = NONE;
}

/* The owner gets a new personal card, unless the owner called (VIV-068, VIV-069, VIV-093). */
static void replace_personal(State *s, int caller)
{
    if (s->owner == caller)
        s->owner = NONE;
    else if (s->owner != NONE)
        s->personal = take_from_stack(s);
}

/* VIV-064 to VIV-070; one opponent takes no second penalty (VIV-026, VIV-028). */
static void call_viva(State *s)
{
    int p = s->turn_of;
    clear_table(s);
    clear_personal(s);
    draw_cards(s, seat_before(s, p), PENALTY_BEFORE);
    if (still_in(s) > 2)
        draw_cards(s, seat_after(s, p), PENALTY_AFTER);
    replace_personal(s, p);
    s->calling = 1;
    ask_for_block(s);
}

/* --- rules.py: the last card (section 8) -------------------------------------------------------- */

/* The next position of the round; the own personal card goes (VIV-082, VIV-103). */
static void leave_round(State *s, int p)
{
    s->position[p] = highest(s->position) + 1;
    s->active[p] = 0;
    if (s->owner == p) {
        clear_personal(s);
        s->owner = NONE;
    }
}

/* Clear the table without penalties (VIV-079 to VIV-082); the last one left ends the round (VIV-100). */
static void go_out(State *s)
{
    int p = s->turn_of;
    give_up(s, p, s->kind);
    to_discard(s, s->kind);
    clear_table(s);
    leave_round(s, p);
    if (still_in(s) > 1) {
        s->todo = TODO_INHERIT;
    } else {
        leave_round(s, seat_after(s, p));
        s->todo = TODO_END_ROUND;
    }
}

/* --- rules.py: playing cards (section 6), and catching illegal plays (section 11) --------------- */

/* The play stands. */
static void settle_play(State *s)
{
    if (s->spot != SPOT_HOUSES) {
        go_out(s);
    } else if (houses_share_colour(s)) {
        s->seat = s->turn_of;
        s->phase = PHASE_VIVA;
    } else {
        next_turn(s);
    }
}

/* The next seat clockwise that noticed decides; without one the play stands (VIV-119). */
static void ask_next_witness(State *s)
{
    for (int q = seat_after(s, s->seat); q != s->turn_of; q = seat_after(s, q))
        if (s->noticed >> q & 1) {
            s->noticed &= ~(1 << q);
            s->seat = q;
            s->phase = PHASE_CATCH;
            return;
        }
    settle_play(s);
}

/* Each other active seat notices by chance, clockwise (VIV-118). */
static void call_witnesses(State *s)
{
    s->noticed = 0;
    for (int q = seat_after(s, s->turn_of); q != s->turn_of; q = seat_after(s, q))
        if (happens(&s->rng, s->options.bluff_notice_probability))
            s->noticed |= 1 << q;
    s->seat = s->turn_of;
    ask_next_witness(s);
}

/* All copies of the play return to the hand, three cards more, and the turn ends (VIV-116, VIV-123). */
static void take_back(State *s)
{
    int p = s->turn_of;
    for (int h = 0; h < HOUSES; h++) {
        int copies = s->placed[h];
        if (copies > 0) {
            s->hand[p][s->kind] += copies;
            s->held[p] += copies;
            s->known[p][s->kind] += copies;
            s->covered[s->kind] -= copies - 1;
            s->height[h] -= copies;
            s->top[h] = s->under[h];
            if (s->top[h] != NONE)
                s->covered[s->top[h]]--;
        }
    }
    s->noticed = 0;
    draw_cards(s, p, PENALTY_CAUGHT);
    next_turn(s);
}

static void end_play(State *s)
{
    if (s->illegal)
        call_witnesses(s);
    else
        settle_play(s);
}

/* Put a copy on a house, and ask for more if more is possible (VIV-051 to VIV-055, VIV-130). */
static void place(State *s, int h)
{
    int p = s->turn_of;
    if (s->placed[h] == 0) {
        s->under[h] = s->top[h];
        if (!accepts(s, h, s->kind) || is_blocked(s, p, s->kind))
            s->illegal = 1;
    }
    if (s->top[h] != NONE)
        s->covered[s->top[h]]++;
    s->top[h] = s->kind;
    s->height[h]++;
    s->placed[h]++;
    give_up(s, p, s->kind);
    if (s->held[p] > 1 && (may_place(s, 0) || may_place(s, 1) || may_place(s, 2))) {
        if (s->hand[p][s->kind] > 0) {
            show_card(s, p, s->kind);
            s->phase = PHASE_MORE;
            return;
        }
        holds_no_more(s, p, 1 << s->kind);
    }
    end_play(s);
}

/* A single possible house is taken without asking (VIV-132). */
static void start_play(State *s, int k)
{
    if (s->phase == PHASE_DRAWN)
        show_newest(s, s->seat, k);
    else
        show_card(s, s->seat, k);
    s->kind = k;
    s->phase = PHASE_HOUSE;
    int house = NONE;
    for (int h = 0; h < HOUSES; h++)
        if (may_place(s, h)) {
            if (house != NONE)
                return;
            house = h;
        }
    place(s, house);
}

/* The last card goes on a blocking card. */
static void shed(State *s, int spot)
{
    s->kind = only_card(s, s->turn_of);
    show_card(s, s->turn_of, s->kind);
    s->spot = spot;
    int block = spot == SPOT_GENERAL ? s->general : s->personal;
    if ((colours_of(block) & colours_of(s->kind)) == 0)
        s->illegal = 1;
    end_play(s);
}

/* --- rules.py: setup (sections 2 and 10) -------------------------------------------------------- */

/* Hands, general card, then the loser's personal card (VIV-010 to VIV-016). */
static void deal(State *s, int starter)
{
    s->starter = starter;
    s->turns = 0;
    for (int k = 0; k < KINDS; k++)
        s->stack[k] = COPIES[s->options.edition];
    s->stack_size = KINDS * COPIES[s->options.edition];
    memset(s->discard, 0, sizeof s->discard);
    memset(s->covered, 0, sizeof s->covered);
    memset(s->hand, 0, sizeof s->hand);
    memset(s->held, 0, sizeof s->held);
    memset(s->position, 0, sizeof s->position);
    for (int h = 0; h < HOUSES; h++) {
        s->top[h] = NONE;
        s->height[h] = 0;
    }
    forget_hands(s);
    for (int p = 0; p < s->seats; p++)
        if (s->active[p])
            draw_cards(s, p, HAND_SIZE);
    s->general = take_from_stack(s);
    s->personal = s->owner != NONE ? take_from_stack(s) : NONE;
    s->todo = TODO_FIRST_TURN;
}

/* --- rules.py: end of round and match (section 10) ---------------------------------------------- */

static void end_match(State *s, int champion)
{
    s->champion = champion;
    s->over = 1;
    s->seat = champion;
    s->phase = PHASE_TURN;
}

/* Those who share the most winner's cards play a tie-break round (VIV-105 to VIV-108). */
static void decide_match(State *s, int winner, int loser)
{
    int most = highest(s->wins);
    for (int p = 0; p < s->seats; p++)
        s->active[p] = s->wins[p] == most;
    if (still_in(s) == 1) {
        end_match(s, seat_after(s, winner));
        return;
    }
    s->tie_break = 1;
    s->owner = s->active[loser] ? loser : NONE;
    deal(s, s->active[winner] ? winner : seat_after(s, winner));
}

static int seat_at(const State *s, int position)
{
    for (int p = 0; p < s->seats; p++)
        if (s->position[p] == position)
            return p;
    return NONE;
}

/* First out gets a winner's card and starts the next round, the last one has lost (VIV-100 to VIV-104). */
static void end_round(State *s)
{
    int winner = seat_at(s, 1);
    if (s->tie_break) {
        end_match(s, winner);
        return;
    }
    int loser = seat_at(s, highest(s->position));
    s->wins[winner]++;
    for (int p = 0; p < s->seats; p++)
        s->position_sum[p] += s->position[p];
    s->round++;
    if (s->options.match == MATCH_SINGLE_ROUND) {
        end_match(s, winner);
    } else if (s->round < s->options.rounds) {
        for (int p = 0; p < s->seats; p++)
            s->active[p] = 1;
        s->owner = loser;
        deal(s, winner);
    } else {
        decide_match(s, winner, loser);
    }
}

/* Those still active are ranked by fewer cards, then seat order from the starter (VIV-096). */
static void stop_round(State *s)
{
    s->capped++;
    while (still_in(s) > 0) {
        int best = NONE;
        for (int i = 0; i < s->seats; i++) {
            int p = (s->starter + i) % s->seats;
            if (s->active[p] && (best == NONE || s->held[p] < s->held[best]))
                best = p;
        }
        leave_round(s, best);
    }
    s->todo = TODO_END_ROUND;
}

/* --- rules.py: from one decision to the next ---------------------------------------------------- */

/* Without a general blocking card the seat may have to put one down first (VIV-083, VIV-094). */
static void begin_turn(State *s, int p, bool inherits)
{
    if (s->turns >= s->options.max_turns_per_round) {
        stop_round(s);
        return;
    }
    s->turns++;
    s->turn_of = p;
    s->seat = p;
    s->phase = PHASE_TURN;
    s->kind = NONE;
    s->drawn = NONE;
    s->illegal = 0;
    s->calling = 0;
    s->spot = SPOT_HOUSES;
    for (int h = 0; h < HOUSES; h++) {
        s->placed[h] = 0;
        s->under[h] = NONE;
    }
    if (s->general == NONE && (inherits || s->held[p] > 1))
        ask_for_block(s);
}

static void proceed(State *s)
{
    while (s->todo != TODO_NOTHING) {
        int todo = s->todo;
        s->todo = TODO_NOTHING;
        if (todo == TODO_FIRST_TURN)
            begin_turn(s, s->starter, false);
        else if (todo == TODO_NEXT_TURN)
            begin_turn(s, seat_after(s, s->turn_of), false);
        else if (todo == TODO_INHERIT)
            begin_turn(s, seat_after(s, s->turn_of), true);
        else
            end_round(s);
    }
}

static void take(State *s, int action)
{
    if (action < HOUSE)
        start_play(s, action - PLAY_TYPE);
    else if (action < GENERAL_BLOCK)
        place(s, action - HOUSE);
    else if (action < PERSONAL_BLOCK)
        shed(s, SPOT_GENERAL);
    else if (action < DRAW)
        shed(s, SPOT_PERSONAL);
    else if (action < END_PLAY)
        take_card(s);
    else if (action < CALL_VIVA)
        s->phase == PHASE_MORE ? end_play(s) : next_turn(s);
    else if (action < DECLINE_VIVA)
        call_viva(s);
    else if (action < CHOOSE_BLOCK)
        next_turn(s);
    else if (action < CATCH)
        set_block(s, action - CHOOSE_BLOCK);
    else if (action < LET_PASS)
        take_back(s);
    else
        ask_next_witness(s);
}

static void apply(State *s, int action)
{
    take(s, action);
    proceed(s);
}

/* A new match: nobody has lost a round yet, seat 0 starts (VIV-017, VIV-018). */
static void reset(State *s)
{
    s->champion = NONE;
    s->owner = NONE;
    for (int p = 0; p < s->seats; p++)
        s->active[p] = 1;
    deal(s, 0);
    proceed(s);
}

/* --- rules.py: result; the engine's result.py --------------------------------------------------- */

static void place_by_key(Result *r, int seats)
{
    for (int p = 0; p < seats; p++) {
        int place = 1;
        for (int q = 0; q < seats; q++)
            place += r->key[q] > r->key[p];
        r->place[p] = place;
    }
}

/* A match: winner's cards, the champion first, then position sums. A round: its order (VIV-109, VIV-110). */
static void result(const State *s, Result *r)
{
    r->capped = s->capped;
    for (int p = 0; p < s->seats; p++) {
        if (s->options.match == MATCH_SINGLE_ROUND) {
            r->score[p] = s->position[p] > 0 ? s->seats - s->position[p] : 0;
            r->key[p] = s->position[p] > 0 ? 1000 - s->position[p] : -s->held[p];
        } else {
            r->score[p] = s->wins[p];
            r->key[p] = 1000 * s->wins[p] - s->position_sum[p] + (s->champion == p ? 100000 : 0);
        }
    }
    place_by_key(r, s->seats);
}

static int sharing(const Result *r, int seats, int p)
{
    int count = 0;
    for (int q = 0; q < seats; q++)
        count += r->place[q] == r->place[p];
    return count;
}

static double outcome_value(const Result *r, int seats, int p)
{
    if (r->place[p] > 1)
        return -1.0 / (seats - 1);
    int winners = sharing(r, seats, p);
    return (1.0 - (winners - 1.0) / (seats - 1)) / winners;
}

static double rank_value(const Result *r, int seats, int p)
{
    double middle = r->place[p] - 1 + (sharing(r, seats, p) - 1) / 2.0;
    return 1.0 - 2.0 * middle / (seats - 1);
}

static double margin_value(const Result *r, int seats, int p)
{
    int best = INT32_MIN;
    for (int q = 0; q < seats; q++)
        if (q != p && r->score[q] > best)
            best = r->score[q];
    return r->score[p] - best;
}

enum { OUTCOME, RANK, SCORE, MARGIN };

static double value(const Result *r, int seats, int p, int mode)
{
    if (mode == OUTCOME)
        return outcome_value(r, seats, p);
    if (mode == RANK)
        return rank_value(r, seats, p);
    if (mode == MARGIN)
        return margin_value(r, seats, p);
    return r->score[p];
}

/* --- observation.py ----------------------------------------------------------------------------- */

enum {
    SEEN_HAND = 0,
    SEEN_DRAWN = SEEN_HAND + KINDS,
    SEEN_HOUSE = SEEN_DRAWN + KINDS,
    SEEN_HEIGHT = SEEN_HOUSE + HOUSES * COLOURS,
    SEEN_COVERED = SEEN_HEIGHT + HOUSES,
    SEEN_DISCARD = SEEN_COVERED + KINDS,
    SEEN_STACK = SEEN_DISCARD + KINDS,
    SEEN_GENERAL = SEEN_STACK + 1,
    SEEN_PERSONAL = SEEN_GENERAL + COLOURS,
    SEEN_OWNER = SEEN_PERSONAL + COLOURS,
    SEEN_BLOCKED = SEEN_OWNER + PLAYERS,
    SEEN_HELD = SEEN_BLOCKED + COLOURS,
    SEEN_ACTIVE = SEEN_HELD + PLAYERS,
    SEEN_POSITION = SEEN_ACTIVE + PLAYERS,
    SEEN_ACTOR = SEEN_POSITION + PLAYERS,
    SEEN_TURN = SEEN_ACTOR + PLAYERS,
    SEEN_PHASE = SEEN_TURN + PLAYERS,
    SEEN_KIND = SEEN_PHASE + PHASES,
    SEEN_PLACED = SEEN_KIND + COLOURS,
    SEEN_SPOT = SEEN_PLACED + HOUSES,
    SEEN_TURNS = SEEN_SPOT + 2,
    SEEN_WINS = SEEN_TURNS + 2,
    SEEN_POSITION_SUM = SEEN_WINS + PLAYERS,
    SEEN_ROUND = SEEN_POSITION_SUM + PLAYERS,
    SEEN_TIE_BREAK = SEEN_ROUND + 1,
    SEEN_SEATS = SEEN_TIE_BREAK + 1,
    SEEN_OPTIONS = SEEN_SEATS + PLAYERS,
    FEATURES = SEEN_OPTIONS + 4,
};

static void show_colours(int8_t *view, int at, int k)
{
    if (k != NONE)
        for (int c = 0; c < COLOURS; c++)
            view[at + c] = COLOURS_OF[k] >> c & 1;
}

/* A share, 1 at most: hundredths, and hundredths of those. */
static void write_share(int8_t *view, int at, int64_t part, int64_t whole)
{
    if (part > 0) {
        int64_t share = (20000 * part + whole) / (2 * whole);
        if (share > 10000)
            share = 10000;
        view[at] = share / 100;
        view[at + 1] = share % 100;
    }
}

/* How many places a seat sits after another one. */
static int after(int q, int seat, int seats)
{
    return q < seat ? q - seat + seats : q - seat;
}

/* Own hand, and the cards out of play. */
static void show_cards(const State *s, int seat, int8_t *view)
{
    memcpy(view + SEEN_HAND, s->hand[seat], KINDS);
    memcpy(view + SEEN_COVERED, s->covered, KINDS);
    memcpy(view + SEEN_DISCARD, s->discard, KINDS);
    view[SEEN_STACK] = s->stack_size;
}

/* Houses, blocking cards, the play in progress, the match. */
static void show_table(const State *s, int8_t *view)
{
    for (int h = 0; h < HOUSES; h++) {
        show_colours(view, SEEN_HOUSE + h * COLOURS, s->top[h]);
        view[SEEN_HEIGHT + h] = s->height[h];
        view[SEEN_PLACED + h] = s->placed[h];
    }
    show_colours(view, SEEN_GENERAL, s->general);
    show_colours(view, SEEN_PERSONAL, s->personal);
    show_colours(view, SEEN_KIND, s->kind);
    view[SEEN_PHASE + s->phase] = 1;
    if (s->spot > 0)
        view[SEEN_SPOT + s->spot - 1] = 1;
    write_share(view, SEEN_TURNS, s->turns, s->options.max_turns_per_round);
    if (s->round > 0) {
        int rounds = s->options.match == MATCH_SINGLE_ROUND ? 1 : s->options.rounds;
        view[SEEN_ROUND] = (200 * s->round + rounds) / (2 * rounds);
    }
    view[SEEN_TIE_BREAK] = s->tie_break;
    view[SEEN_OPTIONS] = s->options.edition;
    view[SEEN_OPTIONS + 1] = s->options.match;
    view[SEEN_OPTIONS + 2] = s->options.bluff;
    view[SEEN_OPTIONS + 3] = (int)(s->options.bluff_notice_probability * 100 + 0.5);
}

/* What is public about seat q, the i-th after the observer. */
static void show_seat(const State *s, int q, int i, int8_t *view)
{
    view[SEEN_SEATS + i] = 1;
    view[SEEN_HELD + i] = s->held[q];
    view[SEEN_ACTIVE + i] = s->active[q];
    view[SEEN_POSITION + i] = s->position[q];
    view[SEEN_WINS + i] = s->wins[q];
    view[SEEN_POSITION_SUM + i] = s->position_sum[q];
}

/* Whose the turn, the decision and the personal blocking card are. */
static void show_whose(const State *s, int seat, int8_t *view)
{
    view[SEEN_ACTOR + after(s->turn_of, seat, s->seats)] = 1;
    view[SEEN_TURN + after(s->seat, seat, s->seats)] = 1;
    if (s->owner != NONE)
        view[SEEN_OWNER + after(s->owner, seat, s->seats)] = 1;
}

static void show_blocked(int k, int8_t *view)
{
    if (k != NONE)
        for (int c = 0; c < COLOURS; c++)
            if (COLOURS_OF[k] >> c & 1)
                view[SEEN_BLOCKED + c] = 1;
}

static void observe(const State *s, int seat, int8_t *view)
{
    show_cards(s, seat, view);
    show_table(s, view);
    for (int i = 0, q = seat; i < s->seats; i++, q = q + 1 < s->seats ? q + 1 : 0)
        show_seat(s, q, i, view);
    show_whose(s, seat, view);
    if (s->owner == seat)
        show_blocked(s->personal, view);
    show_blocked(s->general, view);
    if (s->phase == PHASE_DRAWN && seat == s->seat)
        view[SEEN_DRAWN + s->drawn] = 1;
}

/* --- kernels.py --------------------------------------------------------------------------------- */

static void list_moves(const State *s, Moves *moves)
{
    moves->count = 0;
    if (!s->over)
        legal(s, moves);
}

static void show(const State *s, int seat, Moves *moves, int8_t *mask, int8_t *view)
{
    list_moves(s, moves);
    write_mask(moves, mask);
    memset(view, 0, FEATURES * sizeof *view);
    observe(s, seat, view);
}

static void play(State *s, int action)
{
    s->decisions++;
    apply(s, action);
}

static void standing(const State *s, Result *r)
{
    memset(r, 0, sizeof *r);
    result(s, r);
}

static void pay(const State *s, int mode, Result *r, float *paid, float *rewards)
{
    if (!s->over && mode < SCORE) {
        memset(rewards, 0, s->seats * sizeof *rewards);
        return;
    }
    standing(s, r);
    for (int p = 0; p < s->seats; p++) {
        float worth = value(r, s->seats, p, mode);
        rewards[p] = worth - paid[p];
        paid[p] = worth;
    }
}

static void begin_game(State *s, uint64_t key, float *paid)
{
    s->rng = key;
    reset(s);
    memset(paid, 0, PLAYERS * sizeof *paid);
}

void begin(ARRAY(State, states), ARRAY(float, paid), ARRAY(const State, templates), ARRAY(const uint64_t, keys),
           ARRAY(const int64_t, rows))
{
    for (int64_t j = 0; j < rows_rows; j++) {
        int64_t i = rows[j];
        states[i] = templates[i % templates_rows];
        begin_game(states + i, keys[i], paid + i * PLAYERS);
    }
}

void sample(ARRAY(Stream, streams), ARRAY(const Moves, moves), ARRAY(const int64_t, rows), ARRAY(int64_t, actions))
{
    for (int64_t j = 0; j < rows_rows; j++)
        actions[rows[j]] = pick(streams + rows[j], moves + rows[j]);
}

static int64_t first_illegal(const int8_t *masks, const int64_t *actions, const int64_t *rows, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        int64_t i = rows[j], a = actions[i];
        if (a < 0 || a >= ACTIONS || masks[i * ACTIONS + a] == 0)
            return i;
    }
    return -1;
}

// All rows are the share of the one thread. No rule fails here, so nothing is kept to go back to.
int64_t step(ARRAY(State, states), ARRAY(Moves, moves), ARRAY(int8_t, masks), ARRAY(int8_t, views),
             ARRAY(float, rewards), ARRAY(uint8_t, finished), ARRAY(float, paid), ARRAY(Result, results), int64_t mode,
             ARRAY(const State, templates), ARRAY(const uint64_t, seeds), ARRAY(int64_t, episodes),
             ARRAY(State, last_states), int64_t restart, ARRAY(Stream, streams), ARRAY(int64_t, board),
             ARRAY(int64_t, actions), ARRAY(const int64_t, rows), ARRAY(int64_t, done), ARRAY(State, kept),
             ARRAY(Result, verdict), int64_t me, int64_t patience, int64_t wish, int64_t count)
{
    if (wish & SAMPLE)
        sample(streams, streams_rows, moves, moves_rows, rows, count, actions, actions_rows);
    int64_t bad = wish & CHECK ? first_illegal(masks, actions, rows, count) : -1;
    if (bad >= 0 || !(wish & STEP))
        return bad;
    for (int64_t j = 0; j < count; j++) {
        int64_t i = rows[j];
        State *s = states + i;
        play(s, actions[i]);
        pay(s, mode, results + i, paid + i * PLAYERS, rewards + i * PLAYERS);
        finished[i] = s->over;
        if (s->over && restart) {
            last_states[i] = *s;
            episodes[i]++;
            *s = templates[i % templates_rows];
            begin_game(s, stream_key(seeds[i], episodes[i]), paid + i * PLAYERS);
        }
        show(s, s->seat, moves + i, masks + i * ACTIONS, views + i * FEATURES);
    }
    return DONE;
}

void look(ARRAY(const State, states), ARRAY(Moves, moves), ARRAY(int8_t, masks), ARRAY(int8_t, views),
          ARRAY(const int64_t, rows))
{
    for (int64_t j = 0; j < rows_rows; j++) {
        int64_t i = rows[j];
        show(states + i, states[i].seat, moves + i, masks + i * ACTIONS, views + i * FEATURES);
    }
}

void view(ARRAY(const State, states), ARRAY(const int64_t, rows), ARRAY(const int64_t, seats), ARRAY(int8_t, views))
{
    for (int64_t j = 0; j < rows_rows; j++) {
        memset(views + j * FEATURES, 0, FEATURES * sizeof *views);
        observe(states + rows[j], seats[j], views + j * FEATURES);
    }
}

int64_t rollout(ARRAY(State, states), ARRAY(const State, templates), ARRAY(Stream, streams), ARRAY(Moves, moves),
                int64_t steps, uint64_t seed, ARRAY(int64_t, lengths))
{
    State *s = states;
    int64_t games = 0;
    for (int64_t i = 0; i < steps; i++) {
        list_moves(s, moves);
        play(s, pick(streams, moves));
        if (s->over) {
            games++;
            lengths[0] += s->decisions;
            if (s->decisions > lengths[1])
                lengths[1] = s->decisions;
            *s = templates[0];
            s->rng = stream_key(seed, games);
            reset(s);
        }
    }
    return games;
}
