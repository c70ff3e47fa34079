/**
 * What a game provides to the page. Games know no rules here: the server sends positions, legal
 * actions, previews and events; a game draws them and describes them in words.
 */
import type { Component } from 'svelte';
import type { Language } from '../lib/texts.svelte';
import type { GameEvent, Position, PositionView, Preview, SeatView } from '../lib/protocol';

/** The event that is being animated. */
export interface PlayingEvent<E extends GameEvent = GameEvent> {
  event: E;
  ms: number; // duration; 0 without animation
}

/** What a board and its controls work with: `TableController` for a live table, `ReplayController` for a record. */
export interface BoardController<P extends Position = Position, E extends GameEvent = GameEvent> {
  readonly position: P; // as shown: behind the server's while events are animated
  readonly playing: PlayingEvent<E> | null;
  readonly lastEvents: readonly E[]; // caused by the last action, highlighted until the next one
  readonly history: readonly E[]; // all events shown so far
  readonly view: PositionView & { position: P }; // the server's: mover, scores, deadline
  readonly legal: readonly string[]; // my legal actions; empty if it is not my turn
  readonly seats: readonly SeatView[];
  readonly names: readonly string[];
  readonly considered: string | null; // the action whose preview is shown
  readonly selected: string | null; // the action chosen by touch, considered until it is confirmed
  readonly preview: Preview | null; // of that action, once loaded
  readonly hinted: string | null; // the action that the computer suggests
  consider(action: string | null): void;
  previewOf(action: string): Promise<Preview | null>; // cached for the position
  /** Act by mouse or keyboard (no event); by touch select the action, which the confirm button then chooses. */
  choose(action: string, event?: { pointerType?: string }): void;
  act(action: string): void;
}

/** An action or a chance outcome that was carried out. */
export interface PlayedStep {
  action: string;
  events: readonly GameEvent[];
}

/** A part of a score. */
export interface ScorePart {
  label: string;
  points: number;
}

/** What is known about a game before its code is loaded: default export of `<game>/info.ts`. */
export interface GameInfo {
  readonly title: string; // the same in all languages
  readonly about: Record<Language, string>; // a line; not in `texts`, which the start page does not load
  readonly order: number; // on the start page, lowest first
  readonly presetKnob?: string; // selects a named set of rules or a board; has its own place in the form
  readonly defaultPreset?: string; // its value in a game string that does not name it
  readonly seatKnob?: string; // its value is a seat
  readonly soloPlayers?: number; // players of a game against the computer
  readonly hasNoAnalysis?: boolean; // luck and skill cannot be told apart yet
  readonly StartScene?: Component; // picture for the start page
}

/** A game on the page: default export of `<game>/index.ts`. */
export interface Game<P extends Position = Position, E extends GameEvent = GameEvent> {
  readonly name: string;
  readonly Board: Component<{ controller: BoardController<P, E> }>;
  /** The legal actions as buttons: everything that can be done on the board can be done here. */
  readonly Controls: Component<{ controller: BoardController<P, E> }>;
  /** Return the long list of these legal actions, if there is one: apart from the main buttons, folded away on small screens. */
  choiceList?(legal: readonly string[]): Component<{ controller: BoardController<P, E> }> | null;
  /** Height of the board divided by its width on an upright phone; 1 if not given. */
  readonly boardRatio?: number;
  /** What a player holds besides name and score. */
  readonly Holdings: Component<{ controller: BoardController<P, E>; seat: number }>;
  /** The same in a line or two, without controls. */
  readonly HoldingsSummary: Component<{ controller: BoardController<P, E>; seat: number }>;
  /** Return the position as it looks after an event, for the animation only. */
  applyEvent(position: P, event: E): P;
  /** Return how long an event is animated at normal speed, in milliseconds. */
  duration(event: E): number;
  /** Load the words for steps that lead from one position to another, if they come from the server. */
  loadSteps?(before: P, steps: readonly PlayedStep[], after: P, names: readonly string[]): Promise<void>;
  describeEvent(event: E, names: readonly string[]): string;
  /** Return a sentence that says who has to do what. */
  describeTask(view: PositionView, names: readonly string[], isMine: boolean): string;
  describeAction(action: string, position: P): string;
  /** Return the verb on the button that confirms an action selected by touch. */
  confirmLabel(action: string, position: P): string;
  /** Return the CSS colour of a seat. */
  seatColour(position: P, seat: number): string;
  /** Explain why the winner is ranked before others with the same score, if the game breaks ties. */
  describeTieBreak?(others: string): string;
  /** A form that sets up a position by hand; the server checks it. Without it, people edit its JSON. */
  readonly PositionEditor?: Component<{ position: P; names: readonly string[]; onchange(position: P): void }>;
  /** Explains the result by all events of the game. */
  readonly ResultBreakdown?: Component<{ game: string; events: readonly E[]; scores: readonly number[]; ranking: readonly number[][]; names: readonly string[] }>;
  /** Return the topic of the text `<game>.help.<topic>`, which explains a position the first time; default: its phase. */
  helpTopic?(position: P): string;
  /** Return the parts of a final score. */
  scoreParts(position: P, scores: readonly number[], seat: number): readonly ScorePart[];
}
