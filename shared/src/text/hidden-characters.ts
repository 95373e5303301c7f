// Characters that change how a name looks: they reverse the writing direction or are invisible.

/** Zero-width joiners are missing on purpose: emoji and some scripts need them. */
const hidden = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;
const everyHidden = new RegExp(hidden, 'g');

export function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text);
}

/** Writes hidden characters as \u202e, so that a name cannot look like another one. */
export function escapeHiddenCharacters(text: string): string {
  return text.replace(everyHidden, escapeCharacter);
}

export function escapeCharacter(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
