/**
 * Words that people, and attackers, build passwords from when a digit and a symbol are required. Compared as a whole,
 * after the usual substitutions are undone and surrounding digits and symbols are cut off: `P@ssw0rd1!` and
 * `Summer2025!` are refused, a sentence that contains such a word is not.
 */
const COMMON_WORDS = new Set(
  `password passwort passwd motdepasse secret admin administrator administrateur root login user test testing guest
  welcome bienvenue bonjour hello letmein changeme default temp temporary qwerty qwertz azerty qwertyuiop asdf asdfgh
  asdfghjkl zxcvbn zxcvbnm qazwsx qweasd abc abcd abcde abcdef abcdefg abcdefgh iloveyou jetaime sunshine soleil princess
  princesse dragon monkey football soccer hockey baseball basketball superman batman starwars pokemon ninja master mustang
  shadow freedom whatever trustno computer internet google apple samsung microsoft windows summer winter spring autumn ete
  hiver printemps automne january february march april may june july august september october november december janvier
  fevrier mars avril mai juin juillet aout septembre octobre novembre decembre monday tuesday wednesday thursday friday
  saturday sunday lundi mardi mercredi jeudi vendredi samedi dimanche canada quebec ontario toronto montreal vancouver
  calgary ottawa maple leafs canadiens oilers platenote plate plaque license licence vehicle honda toyota ford michael
  jennifer jessica ashley nicole daniel charlie thomas hunter jordan andrew matthew joshua`.split(/\s+/),
)

const SUBSTITUTIONS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

const isCommonWord = (text: string): boolean => {
  const half = text.slice(0, text.length / 2)
  return COMMON_WORDS.has(text) || (COMMON_WORDS.has(half) && text === half + half)
}

/**
 * Tells whether a password is a common word, once or twice, surrounded by digits and symbols: attackers try these
 * first.
 */
export function isCommonPassword(password: string): boolean {
  const normalized = password.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const trimNonLetters = (text: string) => text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const undoSubstitutions = (text: string) => text.replace(/[@431!0$57]/g, (c) => SUBSTITUTIONS[c] ?? c)
  // trimmed before and after undoing: what is an ending in one (`hello1!`) is a letter in another (`@dm1n`)
  return [
    trimNonLetters(normalized),
    undoSubstitutions(trimNonLetters(normalized)),
    trimNonLetters(undoSubstitutions(normalized)),
    undoSubstitutions(normalized.replace(/[^a-z@$]+$/, '')),
  ].some(isCommonWord)
}
