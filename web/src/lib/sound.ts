/** Short sounds synthesised from tones, without files. */
import { settings } from './settings.svelte';

export type Sound = 'coin' | 'sit' | 'turn' | 'end';

interface Tone {
  start: number; // seconds from now
  seconds: number;
  pitch: number; // Hz
  volume: number;
  shape: OscillatorType;
}

const tone = (start: number, seconds: number, pitch: number, volume: number, shape: OscillatorType = 'sine'): Tone => ({
  start,
  seconds,
  pitch,
  volume,
  shape,
});

const SOUNDS: Record<Sound, Tone[]> = {
  coin: [tone(0, 0.12, 1760, 0.12, 'triangle'), tone(0.06, 0.22, 2350, 0.1, 'triangle')],
  sit: [tone(0, 0.16, 440, 0.12), tone(0.1, 0.24, 587, 0.12)],
  turn: [tone(0, 0.18, 587, 0.14), tone(0.13, 0.3, 880, 0.14)],
  end: [tone(0, 0.3, 440, 0.13), tone(0.15, 0.3, 554, 0.13), tone(0.3, 0.3, 659, 0.13), tone(0.45, 0.7, 880, 0.14)],
};

let context: AudioContext | null = null;

/** Play a sound if sound is on. Browsers allow it only after the visitor has touched the page. */
export function playSound(name: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  for (const one of SOUNDS[name]) playTone(context, one);
}

function playTone(context: AudioContext, { start, seconds, pitch, volume, shape }: Tone): void {
  const time = context.currentTime + start;
  const gain = context.createGain();
  gain.gain.setValueAtTime(volume, time);
  gain.gain.exponentialRampToValueAtTime(0.001, time + seconds);
  gain.connect(context.destination);
  const source = context.createOscillator();
  source.type = shape;
  source.frequency.value = pitch;
  source.connect(gain);
  source.start(time);
  source.stop(time + seconds);
}
