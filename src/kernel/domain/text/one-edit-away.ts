const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * Every spelling that a single typo turns into this one, likelier typos first: two letters swapped, one missing, one
 * too many, one replaced. The first letter is seldom wrong and stays.
 */
export function* oneEditAway(word: string): Generator<string> {
  const cut = (to: number, from: number, between = '') => word.slice(0, to) + between + word.slice(from)
  for (let at = 1; at < word.length - 1; at++)
    if (word[at] !== word[at + 1]) yield cut(at, at + 2, word[at + 1]! + word[at]!)
  for (let at = 1; at <= word.length; at++) for (const letter of LETTERS) yield cut(at, at, letter)
  for (let at = 1; at < word.length; at++) if (word[at] !== word[at - 1]) yield cut(at, at + 1)
  for (let at = 1; at < word.length; at++)
    for (const letter of LETTERS) if (letter !== word[at]) yield cut(at, at + 1, letter)
}
