/** Whether the server answers. While it does not, it is asked again at growing intervals. */
const RETRY_MS = [1500, 3000, 6000, 10_000];

class ServerStatus {
  isAway = $state(false);
  returns = $state(0); // how often the server came back: effects that read it run again then
  #retries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  markAway(): void {
    this.isAway = true;
    clearTimeout(this.#timer);
    const pause = RETRY_MS[Math.min(this.#retries++, RETRY_MS.length - 1)];
    this.#timer = setTimeout(() => void this.check(), pause);
  }

  markBack(): void {
    clearTimeout(this.#timer);
    this.#retries = 0;
    if (!this.isAway) return;
    this.isAway = false;
    this.returns += 1;
  }

  /** Ask the server whether it is back. */
  async check(): Promise<void> {
    const response = await fetch('/api/games').catch(() => null);
    if (response?.ok) this.markBack();
    else this.markAway();
  }
}

export const serverStatus = new ServerStatus();
