/** Whether the server answers. While it does not, somebody asks now and then. */
const PAUSES = [1500, 3000, 6000, 10_000];

class Reach {
  isAway = $state(false);
  returns = $state(0); // how often it came back: what depends on it asks anew
  #tried = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  lost(): void {
    this.isAway = true;
    clearTimeout(this.#timer);
    const pause = PAUSES[Math.min(this.#tried++, PAUSES.length - 1)];
    this.#timer = setTimeout(() => void this.look(), pause);
  }

  found(): void {
    clearTimeout(this.#timer);
    this.#tried = 0;
    if (!this.isAway) return;
    this.isAway = false;
    this.returns += 1;
  }

  /** See whether it is there again. */
  async look(): Promise<void> {
    const answer = await fetch('/api/games').catch(() => null);
    if (answer?.ok) this.found();
    else this.lost();
  }
}

export const reach = new Reach();
