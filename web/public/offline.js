/* Says in the reader's language that the server cannot be reached, and reloads the page when it is back. */
const TEXTS = {
  en: ['Can’t reach the server. Your games are saved. Reconnecting…', 'Try now'],
  fr: ['Serveur injoignable. Vos parties sont conservées ; nouvelle tentative…', 'Réessayer maintenant'],
  it: ['Server non raggiungibile. Le tue partite sono al sicuro; nuovo tentativo…', 'Riprova ora'],
  de: ['Der Server ist nicht erreichbar. Deine Spiele bleiben erhalten. Neuer Versuch…', 'Jetzt versuchen'],
  es: ['No se puede contactar con el servidor. Tus partidas están a salvo; reconectando…', 'Reintentar ahora'],
  nl: ['De server is niet bereikbaar. Je spellen blijven bewaard. Nieuwe poging…', 'Nu proberen'],
  pt: ['Não é possível contactar o servidor. As tuas partidas estão guardadas. A restabelecer a ligação…', 'Tentar agora'],
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
