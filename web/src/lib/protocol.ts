// Written by `python -m tools.typescript` from the server's own types. Do not edit.

// ---- words

export type Code =
  | "bad-message"
  | "stale"
  | "illegal"
  | "not-your-turn"
  | "not-your-seat"
  | "not-the-host"
  | "no-such-seat"
  | "seat-not-free"
  | "seats-open"
  | "not-started"
  | "already-started"
  | "over"
  | "not-possible"
  | "chat-off"
  | "request-used"
  | "too-fast"
  | "not-saved"
  | "bad-game"
  | "bad-table"
  | "bad-record"
  | "no-identity"
  | "no-such-table"
  | "no-such-link"
  | "not-at-table"
  | "not-over";

export type Status = "waiting" | "playing" | "over";

export type Kind = "open" | "person" | "bot" | "computer";

export type AbsencePolicy = "at-once" | "grace" | "never";

export type TakeoverReason = "left" | "away" | "time";

export type EventKind =
  | "sat"
  | "left"
  | "assigned"
  | "words-added"
  | "started"
  | "acted"
  | "away"
  | "here"
  | "taken-over"
  | "taken-back"
  | "resigned"
  | "said"
  | "chat"
  | "rematched";

// ---- marracash

export type MarraCashColour = "red" | "yellow" | "blue" | "green" | "purple";

/** A shop that somebody owns. */
export interface MarraCashShop {
  owner: number;
  customers: number;
}

/** What a player holds. */
export interface MarraCashPlayer {
  dirhams: number;
  /** left to put on shops */
  signs: number;
}

/** The auction that is under way. */
export interface MarraCashAuction {
  shop: string;
  auctioneer: number;
  /** the highest so far */
  bid: number | null;
  bidder: number | null;
  /** seats, in the order they passed */
  passed: number[];
}

/** The souvenir cards. */
export interface MarraCashCards {
  open: [MarraCashColour, number][];
  /** values of those still in the deck */
  left: Partial<Record<MarraCashColour, number[]>>;
}

/** What is still to happen in the middle of a walk. */
export interface MarraCashWalk {
  kind: "move" | "auction";
  mover: number | null;
  /** the fountain where it ends */
  to: string | null;
  group: Partial<Record<MarraCashColour, number>>;
  /** still to be passed */
  shops: string[];
  customers: number;
  total: number;
  payment: number | null;
}

/** A position, as `State.to_dict` writes it. */
export interface MarraCashPosition {
  game: string;
  phase: "choose" | "bid" | "bring" | "card" | "reveal" | "over";
  to_move: number;
  turn_of: number;
  round: number;
  /** of the turn: 1 or 2 */
  step: number;
  /** what step 1 was, in step 2 */
  first_step: "move" | "auction" | null;
  /** turns still to come once the end is near */
  last_turns: number | null;
  /** by fountain */
  groups: Record<string, Partial<Record<MarraCashColour, number>>>;
  /** from head to tail */
  queue: MarraCashColour[];
  /** those with an owner */
  shops: Record<string, MarraCashShop>;
  players: MarraCashPlayer[];
  auction: MarraCashAuction | null;
  cards: MarraCashCards | null;
  /** in the middle of one */
  walk?: MarraCashWalk;
}

/** A shop was put up for auction. */
export interface MarraCashNamed {
  event: "named";
  seat: number;
  shop: string;
  colour: MarraCashColour;
}

/** Somebody bid for the shop under the hammer. */
export interface MarraCashBid {
  event: "bid";
  seat: number;
  shop: string;
  amount: number;
}

/** Somebody passed, in an auction or because nothing was possible. */
export interface MarraCashPassed {
  event: "passed";
  seat: number;
  shop: string | null;
}

/** A shop was sold. */
export interface MarraCashSold {
  event: "sold";
  /** the buyer */
  seat: number;
  shop: string;
  price: number;
  auctioneer: number;
  /** from the bank to the auctioneer */
  commission: number;
}

/** A group set out. */
export interface MarraCashMoved {
  event: "moved";
  seat: number;
  start: string;
  end: string;
  group: Record<string, number>;
}

/** A customer entered a shop, and the bank paid its owner. */
export interface MarraCashEntered {
  event: "entered";
  shop: string;
  colour: MarraCashColour;
  owner: number;
  /** of the customer in that shop */
  rank: number;
  payment: number;
}

/** A customer bought an open souvenir card. */
export interface MarraCashSouvenir {
  event: "souvenir";
  owner: number;
  colour: MarraCashColour;
  value: number;
}

/** A shop's owner paid the mover. */
export interface MarraCashCommission {
  event: "commission";
  owner: number;
  /** the mover */
  seat: number;
  amount: number;
}

/** A souvenir card was turned up. */
export interface MarraCashRevealed {
  event: "revealed";
  colour: MarraCashColour;
  value: number;
}

/** New visitors came in by a gate. */
export interface MarraCashBrought {
  event: "brought";
  seat: number;
  gate: string;
  /** head or tail */
  end: string;
  /** in the order they left the queue */
  visitors: string[];
}

/** The queue is down to one visitor or none: everyone has one more turn. */
export interface MarraCashLastRound {
  event: "lastround";
  /** who plays the very last turn */
  seat: number;
}

/** The game ended. */
export interface MarraCashOver {
  event: "over";
  scores: number[];
  ranking: number[][];
}

/** `event` tells which. */
export type MarraCashEvent =
  | MarraCashNamed
  | MarraCashBid
  | MarraCashPassed
  | MarraCashSold
  | MarraCashMoved
  | MarraCashEntered
  | MarraCashSouvenir
  | MarraCashCommission
  | MarraCashRevealed
  | MarraCashBrought
  | MarraCashLastRound
  | MarraCashOver;

// ---- marrakech

export type MarrakechColour = "red" | "yellow" | "blue" | "orange";

export type MarrakechFacing = "N" | "E" | "S" | "W";

export type MarrakechTurning = "left" | "ahead" | "right";

/** Where Assam stands. */
export interface MarrakechAssam {
  /** a1 to g7 */
  square: string;
  facing: MarrakechFacing;
}

/** Half of a rug, as a square shows it. */
export interface MarrakechHalf {
  colour: MarrakechColour;
  /** the same for both halves */
  rug: number;
}

/** What a player holds. */
export interface MarrakechPlayer {
  dirhams: number;
  /** left to lay */
  rugs: Partial<Record<MarrakechColour, number>>;
  /** the rug on top of the pile, if it is known */
  next: MarrakechColour | null;
  out: boolean;
  /** 1 for the first out */
  out_order?: number;
}

/** A position, as `State.to_dict` writes it. */
export interface MarrakechPosition {
  game: string;
  phase: "draw" | "turn" | "roll" | "lay" | "turn_last" | "over";
  to_move: number;
  assam: MarrakechAssam;
  /** those with a rug */
  squares: Record<string, MarrakechHalf>;
  players: MarrakechPlayer[];
}

/** One step of a walk. */
export interface MarrakechStep {
  square: string;
  facing: MarrakechFacing;
  /** whether it led round an arc */
  arc: boolean;
}

/** A half of a rug that a new rug came to lie on. */
export interface MarrakechCovered {
  square: string;
  colour: MarrakechColour;
  /** whose it is */
  seat: number;
  neutral: boolean;
}

/** A rug was turned up on a pile. */
export interface MarrakechDrew {
  event: "drew";
  /** whose pile */
  seat: number;
  colour: MarrakechColour;
}

/** Assam was turned, or left as he stood. */
export interface MarrakechTurned {
  event: "turned";
  seat: number;
  /** left, ahead or right */
  turning: MarrakechTurning;
  /** N E S W, afterwards */
  facing: MarrakechFacing;
}

/** The die was rolled and Assam walked. */
export interface MarrakechWalked {
  event: "walked";
  seat: number;
  die: number;
  start: string;
  steps: MarrakechStep[];
}

/** A tax was paid, in full or as far as the money went. */
export interface MarrakechPaid {
  event: "paid";
  seat: number;
  to: number;
  owed: number;
  paid: number;
  colour: MarrakechColour;
  /** the squares counted */
  squares: string[];
}

/** A player could not pay and is out. */
export interface MarrakechOut {
  event: "out";
  seat: number;
  /** 1 for the first out */
  order: number;
}

/** A rug was laid. */
export interface MarrakechLaid {
  event: "laid";
  seat: number;
  colour: MarrakechColour;
  squares: [string, string];
  covered: MarrakechCovered[];
}

/** The game ended. */
export interface MarrakechOver {
  event: "over";
  scores: number[];
  ranking: number[][];
}

/** `event` tells which. */
export type MarrakechEvent =
  | MarrakechDrew
  | MarrakechTurned
  | MarrakechWalked
  | MarrakechPaid
  | MarrakechOut
  | MarrakechLaid
  | MarrakechOver;

// ---- what the server sends

/** An event of any game. */
export type GameEvent = MarraCashEvent | MarrakechEvent;

/** That of any game. */
export type Position = MarraCashPosition | MarrakechPosition;

/** A seat. */
export interface SeatView {
  seat: number;
  kind: Kind;
  name: string;
  /** a public id; compare it with your own */
  person: string | null;
  /** of a computer player */
  level: string | null;
  /** added to the dice */
  words: string;
  /** whether its person is not connected */
  away: boolean;
  /** why the computer plays for its owner */
  takeover: TakeoverReason | null;
  resigned: boolean;
}

/** A line of chat. */
export interface ChatLine {
  at: number;
  /** the author: names are not unique */
  person: string | null;
  name: string;
  text: string;
}

/** The result of a game. */
export interface ResultView {
  /** drawn: no winner */
  how: "played" | "drawn" | "resigned";
  /** seats best first, ties grouped, resigned seats last */
  ranking: number[][];
  /** share of the win, by seat */
  returns: number[];
  scores: number[];
  /** as in a record, with the seats that resigned */
  text: string;
}

/** A table without its position. */
export interface TableView {
  id: string;
  /** with its knobs */
  game: string;
  /** of the game, without knobs */
  name: string;
  host: string;
  /** who may act as host before the start while the host is absent */
  deputy: string | null;
  public: boolean;
  /** time for a turn */
  seconds: number | null;
  absent: AbsencePolicy;
  grace: number;
  status: Status;
  seats: SeatView[];
  chat_open: boolean;
  commitment: string;
  /** null until the game is over */
  secret: string | null;
  created: number;
  started: number | null;
  ended: number | null;
  result: ResultView | null;
  /** the id of the next table */
  rematch: string | null;
}

/** A position and its legal actions. */
export interface PositionView {
  version: number;
  position: Position;
  /** the seat to move */
  mover: number | null;
  legal: string[];
  scores: number[];
  /** when the mover runs out of time */
  deadline: number | null;
}

/** An action or a chance outcome, and the events it caused. */
export interface Step {
  /** null for chance */
  seat: number | null;
  action: string;
  events: GameEvent[];
}

/** An entry of the table's log as clients see it. */
export interface EventView {
  n: number;
  kind: EventKind;
  at: number;
  seat?: number | null;
  computer?: boolean;
  why?: TakeoverReason | null;
  line?: ChatLine | null;
  steps?: Step[];
  /** of a rematch */
  table?: string | null;
}

/** An action, and its expected share of the win. */
export interface Option {
  action: string;
  /** of the win, for the player to move: 0 to 1 */
  share: number;
}

/** A setting of a game. */
export interface KnobView {
  name: string;
  about: string;
  /** whole, choice or flag */
  kind: string;
  default: number | string | boolean;
  /** of a choice */
  values?: string[];
  low?: number | null;
  high?: number | null;
  /** values of other knobs without which it has no effect */
  needs?: Record<string, (number | string | boolean)[]>;
}

/** A game, its knobs and its levels. */
export interface GameView {
  name: string;
  knobs: KnobView[];
  /** computer players, weakest first */
  levels: string[];
  /** of the rules */
  languages: string[];
}

/** A section of the rules. */
export interface RulesSection {
  /** the same in all languages */
  id: string;
  title: string;
  /** safe: text elements, tables, and figures with a drawing of our own */
  html: string;
}

/** The rules of one game, in one language. */
export interface RulesView {
  language: string;
  title: string;
  sections: RulesSection[];
}

/** The position at the start, or after an action or chance outcome. */
export interface Frame {
  /** who acted; null for chance, and at the start */
  seat: number | null;
  /** null at the start */
  action: string | null;
  /** of the game, as in the steps of a table's events */
  events: GameEvent[];
  position: Position;
  scores: number[];
  /** the seat to move; null for chance, and at the end */
  mover: number | null;
  /** actions of the mover */
  legal: string[];
}

/** A player of the game. */
export interface ReplaySeat {
  seat: number;
  name: string;
  /** of a computer player */
  level: string | null;
}

/** A whole game so far. */
export interface Replay {
  /** with its knobs */
  game: string;
  /** of the game, without knobs */
  name: string;
  seats: ReplaySeat[];
  /** of the record: date, commitment, secret … */
  headers: Record<string, string>;
  /** null until the game is over */
  result: ResultView | null;
  /** empty if the game has not started */
  frames: Frame[];
}

/** The result of verifying a record's dice. */
export interface Verification {
  fair: boolean;
  /** chance steps that were recomputed */
  draws: number;
  /** in words; empty if the dice were fair */
  problems: string[];
}

/** A possible decision or chance outcome. */
export interface Alternative {
  action: string;
  /** winning chances of every seat after it */
  shares: number[];
  /** of a chance outcome; null for a decision */
  probability: number | null;
}

/** A decision or a chance outcome, and what it changed. */
export interface AnalysedStep {
  /** from 1; the position after it is frame number `step` of a replay */
  step: number;
  turn: number;
  /** who decided; null for chance */
  seat: number | null;
  action: string;
  /** of every seat's winning chances by the decision or luck; sums to 0 */
  change: number[];
  /** the further change when the next position is evaluated */
  hindsight: number[];
  /** winning chances of every seat after it */
  shares: number[];
  /** what the decision cost its player; 0 for chance */
  cost: number;
  /** the best action; null for chance */
  best: string | null;
  /** all of them, best for the player first */
  alternatives: Alternative[];
}

/** How a seat's winning chances changed: start + luck + own + others + hindsight = end. */
export interface PlayerSummary {
  seat: number;
  name: string;
  /** of the player's pieces */
  colour: string;
  /** winning chances before the first step */
  start: number;
  /** change by chance outcomes */
  luck: number;
  /** change by the player's own decisions; never above 0 except for rounding */
  own: number;
  /** change by the decisions of others */
  others: number;
  /** change because later evaluations see further */
  hindsight: number;
  /** the result, or the winning chances where the game stands */
  end: number;
  /** with at least two options */
  decisions: number;
  /** decisions that were best, or nearly so */
  best: number;
}

/** The analysis of a whole game. */
export interface GameAnalysis {
  /** with its knobs */
  game: string;
  /** the computer player that evaluated */
  level: string;
  /** per position; null if it was limited by time */
  nodes: number | null;
  over: boolean;
  /** winning chances of every seat before the first step */
  start: number[];
  players: PlayerSummary[];
  steps: AnalysedStep[];
  /** the steps of the decisions that cost most, worst first */
  costliest: number[];
  /** the steps that changed most by luck or decision, largest first */
  turning_points: number[];
}

/** An analysis, or that it is not ready yet. */
export interface AnalysisReply {
  /** if false, ask again in a second */
  ready: boolean;
  analysis: GameAnalysis | null;
}

/** The change of a seat's score: its expected value and its bounds. */
export interface Gain {
  least: number;
  expected: number;
  most: number;
}

/** A chance outcome that may follow an action, and its events. */
export interface Outcome {
  action: string;
  probability: number;
  events: GameEvent[];
}

/** What an action would cause: its events, chance outcomes and gains. */
export interface Preview {
  action: string;
  /** at once */
  events: GameEvent[];
  /** of the chance step that follows, if one does */
  outcomes: Outcome[];
  /** certain to follow, whatever chance and players decide */
  later: GameEvent[];
  /** of each seat, until all consequences of the action are over */
  gains: Gain[];
}

/** The whole state of a table. */
export interface Welcome {
  type: "welcome";
  /** the version of this protocol */
  protocol: number;
  n: number;
  now: number;
  table: TableView;
  position: PositionView | null;
  chat: ChatLine[];
}

/** Events, with the table and the position after them where these changed. */
export interface Events {
  type: "events";
  events: EventView[];
  now: number;
  table?: TableView | null;
  position?: PositionView | null;
}

/** A command was carried out and is stored. */
export interface Ack {
  type: "ack";
  request: string;
  n: number;
  version: number;
}

/** A command was not carried out. */
export interface Refused {
  type: "refused";
  request: string | null;
  code: Code;
  message: string;
  n: number;
  position: PositionView | null;
}

/** The effects an action would have. */
export interface PreviewReply {
  type: "preview";
  request: string;
  version: number;
  preview: Preview;
}

/** The best actions by the strongest computer player, best first. */
export interface HintReply {
  type: "hint";
  request: string;
  version: number;
  level: string;
  options: Option[];
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
  now: number;
}

/** The server is about to close the socket. */
export interface Goodbye {
  type: "goodbye";
  reason: string;
  /** whether the client should connect again */
  reconnect: boolean;
}

/** What comes over a socket; `type` tells which. */
export type ServerMessage =
  | Welcome
  | Events
  | Ack
  | Refused
  | PreviewReply
  | HintReply
  | Pong
  | Goodbye;

// ---- what a client sends over a socket

/** Play an action, given by its text and the version of the position it was chosen for. */
export interface ActCommand {
  type: "act";
  request: string;
  version: number;
  action: string;
}

/** Ask what an action would cause. */
export interface PreviewCommand {
  type: "preview";
  request: string;
  action: string;
}

/** Ask what the strongest computer player would do. */
export interface HintCommand {
  type: "hint";
  request: string;
}

/** Take an open seat, under your own name or another (several may share a screen). */
export interface SitCommand {
  type: "sit";
  request: string;
  seat: number;
  name?: string | null;
}

/** Leave a seat; during a game the computer takes over. */
export interface LeaveCommand {
  type: "leave";
  request: string;
  seat: number;
}

/** Assign a seat to a computer player, or open it; for the host. A person there loses it. */
export interface AssignCommand {
  type: "assign";
  request: string;
  seat: number;
  level: string | null;
}

/** Add words of your own to the dice. */
export interface WordsCommand {
  type: "words";
  request: string;
  seat: number;
  words: string;
}

/** Start the game; for the host. */
export interface StartCommand {
  type: "start";
  request: string;
}

/** Take your seat back from the computer. */
export interface TakeBackCommand {
  type: "take-back";
  request: string;
  seat: number;
}

/** Resign. */
export interface ResignCommand {
  type: "resign";
  request: string;
  seat: number;
}

/** Write a line of chat. */
export interface SayCommand {
  type: "say";
  request: string;
  text: string;
}

/** Switch the chat on or off; for the host. */
export interface ChatCommand {
  type: "chat";
  request: string;
  open: boolean;
}

/** Ask for a `pong`, to see whether the connection is alive. */
export interface PingCommand {
  type: "ping";
}

/** `type` tells which. */
export type Command =
  | ActCommand
  | PreviewCommand
  | HintCommand
  | SitCommand
  | LeaveCommand
  | AssignCommand
  | WordsCommand
  | StartCommand
  | TakeBackCommand
  | ResignCommand
  | SayCommand
  | ChatCommand
  | PingCommand;

// ---- bodies of requests and answers over HTTP

/** A seat for the person who creates the table. */
export interface MySeat {
  kind: "me";
  name?: string | null;
}

/** A seat that anybody may take. */
export interface OpenSeat {
  kind: "open";
}

/** A seat for a computer player; an easy one if no level is given. */
export interface ComputerSeat {
  kind: "computer";
  level?: string | null;
}

/** A table to be created. */
export interface NewTable {
  /** Your own name for this request; repeating it returns the same table. */
  request?: string | null;
  game: string;
  /** By default: you, and computer players. */
  seats?: (MySeat | OpenSeat | ComputerSeat)[] | null;
  /** Whether it is listed; otherwise only its id leads to it. */
  public?: boolean;
  /** Time for a turn; no limit by default. */
  seconds?: number | null;
  /** When the computer takes over for a player who is away or out of time. */
  absent?: AbsencePolicy;
  /** Seconds, if absent is grace. */
  grace?: number;
  /** Start at once; every seat must be taken. */
  start?: boolean;
}

/** A display name. */
export interface NameBody {
  name: string;
}

/** A code from another device. */
export interface ClaimBody {
  code: string;
}

/** A game record. */
export interface RecordBody {
  record: string;
}

/** A record whose dice are to be verified. */
export interface VerifyBody {
  record: string;
  /** As noted before the game. */
  commitment?: string | null;
}

/** An error: a code for programs, a sentence for people. */
export interface ProblemBody {
  code: string;
  message: string;
}

/** An identity. */
export interface MeBody {
  id: string;
  name: string;
  bot: boolean;
}

/** A new identity for a program, with its token. */
export interface BotBody {
  id: string;
  name: string;
  bot: boolean;
  token: string;
}

/** A code that moves an identity to another device. */
export interface LinkBody {
  code: string;
  expires: number;
}
