// Dark and light: the system's wish, until the switch says otherwise.
import { Color } from "three";

type Theme = "dark" | "light";
const system = matchMedia("(prefers-color-scheme: light)");
let chosen: Theme | null = null;
const listeners: (() => void)[] = [];

export function theme(): Theme {
  return chosen ?? (system.matches ? "light" : "dark");
}

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const listener of listeners) listener();
}

export function setTheme(wanted: Theme): void {
  chosen = wanted;
  apply();
}

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

export function startTheme(): void {
  system.addEventListener("change", apply);
  apply();
}

/** A colour "#rrggbb" of the style sheet. */
export function styleText(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function styleColour(name: string): Color {
  return new Color(styleText(name));
}
