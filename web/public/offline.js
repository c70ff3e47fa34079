/* The server is away: say so in the reader's language, and look again until it is back. */
const WORDS = {
  en: ['The souk is closed for a moment. Your games are kept; this page opens by itself as soon as the server is back.', 'Try now'],
  fr: ['Le souk est fermé pour un instant. Vos parties sont conservées ; cette page s’ouvrira d’elle-même dès que le serveur sera de retour.', 'Réessayer'],
  it: ['Il suk è chiuso per un momento. Le partite sono al sicuro; questa pagina si aprirà da sola appena il server sarà tornato.', 'Riprova'],
  de: ['Der Souk ist kurz geschlossen. Deine Partien sind aufgehoben; diese Seite öffnet sich von selbst, sobald der Server wieder da ist.', 'Jetzt versuchen'],
  es: ['El zoco está cerrado un momento. Tus partidas están guardadas; esta página se abrirá sola en cuanto vuelva el servidor.', 'Probar ahora'],
  nl: ['De soek is even gesloten. Je partijen zijn bewaard; deze pagina opent vanzelf zodra de server terug is.', 'Nu proberen'],
  pt: ['O souk está fechado por um momento. As tuas partidas estão guardadas; esta página abre-se sozinha assim que o servidor voltar.', 'Tentar agora'],
};
const EVERY_MS = 4000;

function language() {
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem('souk') ?? '{}').language;
  } catch {
    // nothing was chosen
  }
  return [chosen, ...navigator.languages].map((one) => String(one).slice(0, 2)).find((one) => one in WORDS) ?? 'en';
}

async function look() {
  const answer = await fetch('/api/games').catch(() => null);
  if (answer?.ok) location.reload();
}

const spoken = language();
document.documentElement.lang = spoken;
document.getElementById('words').textContent = WORDS[spoken][0];
const again = document.getElementById('again');
again.textContent = WORDS[spoken][1];
again.addEventListener('click', () => location.reload());
setInterval(look, EVERY_MS);
addEventListener('online', look);
