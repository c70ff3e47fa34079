/* Says in the reader's language that the server is away, and reloads the page when it is back. */
const TEXTS = {
  en: ['The souk is closed for a moment. Your games are kept; this page opens by itself as soon as the server is back.', 'Try now'],
  fr: ['Le souk est fermé pour un instant. Vos parties sont conservées ; cette page s’ouvrira d’elle-même dès que le serveur sera de retour.', 'Réessayer'],
  it: ['Il suk è chiuso per un momento. Le partite sono al sicuro; questa pagina si aprirà da sola appena il server sarà tornato.', 'Riprova'],
  de: ['Der Souk ist kurz geschlossen. Deine Partien sind aufgehoben; diese Seite öffnet sich von selbst, sobald der Server wieder da ist.', 'Jetzt versuchen'],
  es: ['El zoco está cerrado un momento. Tus partidas están guardadas; esta página se abrirá sola en cuanto vuelva el servidor.', 'Probar ahora'],
  nl: ['De soek is even gesloten. Je partijen zijn bewaard; deze pagina opent vanzelf zodra de server terug is.', 'Nu proberen'],
  pt: ['O souk está fechado por um momento. As tuas partidas estão guardadas; esta página abre-se sozinha assim que o servidor voltar.', 'Tentar agora'],
};
const RETRY_MS = 4000;

function language() {
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem('souk') ?? '{}').language;
  } catch {
    // no stored settings
  }
  return [chosen, ...navigator.languages].map((code) => String(code).slice(0, 2)).find((code) => code in TEXTS) ?? 'en';
}

async function reloadIfBack() {
  const response = await fetch('/api/games').catch(() => null);
  if (response?.ok) location.reload();
}

const code = language();
document.documentElement.lang = code;
document.getElementById('message').textContent = TEXTS[code][0];
const retry = document.getElementById('retry');
retry.textContent = TEXTS[code][1];
retry.addEventListener('click', () => location.reload());
setInterval(reloadIfBack, RETRY_MS);
addEventListener('online', reloadIfBack);
