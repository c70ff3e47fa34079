/**
 * What a game brings to the page. Nothing here knows a rule: the server sends positions, legal
 * actions, previews and events, and a game only draws them and says them in words.
 */
import type { Component } from 'svelte';
import type { GameEvent, Position, PositionView, Preview, SeatView } from '../lib/protocol';

/** Something that is being shown just now. */
export interface Playing {
  event: GameEvent;
  ms: number; // it lasts; 0 without motion
}

/** What a board and its controls are given. `TableDesk` plays a live table, `ReplayDesk` a record. */
export interface Desk {
  readonly position: Position; // as shown: behind the server's while events are played
  readonly playing: Playing | null;
  readonly last: readonly GameEvent[]; // what the last action caused, marked until the next one
  readonly story?: readonly GameEvent[]; // everything that was shown so far, if it is kept
  readonly view: PositionView; // the server's: mover, scores, deadline
  readonly legal: readonly string[]; // what I may do now; empty if it is not my turn
  readonly seats: readonly SeatView[];
  readonly names: readonly string[];
  readonly considered: string | null; // the action I am thinking about
  readonly preview: Preview | null; // of that action, once it is there
  readonly hinted: string | null; // what the computer would do
  consider(action: string | null): void;
  previewOf(action: string): Promise<Preview | null>; // kept for the position
  act(action: string): void;
}

/** A part of a score. */
export interface Points {
  what: string; // in words
  points: number;
}

export interface Game {
  readonly name: string;
  readonly Board: Component<{ desk: Desk }>;
  /** The current choice as buttons: everything that can be done on the board can be done here. */
  readonly Controls: Component<{ desk: Desk }>;
  /** What a player holds besides score and name. */
  readonly Holdings: Component<{ desk: Desk; seat: number }>;
  /** The same where there is little room: a line or two, nothing to press. */
  readonly HoldingsSummary?: Component<{ desk: Desk; seat: number }>;
  /** The position as it looks after an event: only for showing one thing after the other. */
  shown(position: Position, event: GameEvent): Position;
  /** How long an event is shown at normal speed, in milliseconds. */
  lasts(event: GameEvent): number;
  /** An event in words. */
  told(event: GameEvent, names: readonly string[]): string;
  /** What is expected now, in one sentence that says of whom. */
  todo(view: PositionView, names: readonly string[], isMine: boolean): string;
  /** An action in words. */
  named(action: string, position: Position): string;
  /** The CSS colour (a variable of app.css) of a seat, and the pattern or shape that goes with it. */
  colours(position: Position, seat: number): readonly string[];
  /** Why somebody is before others who have as many points, if the game tells such ties apart. */
  untied?(others: string): string;
  /** How a score came about, part by part. Without it: money, and what is on the board. */
  points?(position: Position, scores: readonly number[], seat: number): readonly Points[];
}
