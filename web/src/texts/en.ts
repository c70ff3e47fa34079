/** What the page says, apart from the games. The source: every other language has the same keys. */
export default {
  // ---- everywhere
  'app.name': 'Souk',
  'app.away': 'The server is away for a moment. Trying again …',
  'app.unknown': 'There is nothing at this address.',
  'app.home': 'To the start',

  // ---- start, invitations, settings
  'start.title': 'Souk',

  // ---- a table
  'table.none': 'There is no such table.',

  // ---- after the game, replay
  'replay.title': 'Replay',
};
