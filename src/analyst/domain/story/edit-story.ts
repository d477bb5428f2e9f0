import { AppError } from '../../../kernel/domain/errors.ts'

/** Maximum length of a story's text, in characters. */
export const LONGEST_STORY = 1_000_000

/** Replaces `find` in a text. It must occur exactly once, because another occurrence could be the intended one. */
export function replaceOnce(text: string, find: string, replacement: string): string {
  const at = text.indexOf(find)
  if (find === '' || at < 0)
    throw new AppError('invalid_input', 'The text to find is not in the story.', {
      hint:
        find === ''
          ? 'Pass the exact text.'
          : `It must be exact, with its spaces and line breaks.${nearly(text, find)}`,
    })
  const second = text.indexOf(find, at + 1)
  if (second >= 0)
    throw new AppError('invalid_input', `The text to find is in the story ${countOf(text, find)}.`, {
      hint: `Give more of the text around it: it occurs in lines ${lineAt(text, at)} and ${lineAt(text, second)}.`.replace(
        '2 lines',
        'lines',
      ),
    })
  return text.slice(0, at) + replacement + text.slice(at + find.length)
}

const MOST_COUNTED = 100

function countOf(text: string, find: string): string {
  let count = 0
  for (let at = text.indexOf(find); at >= 0 && count <= MOST_COUNTED; at = text.indexOf(find, at + find.length)) count++
  return count > MOST_COUNTED ? `more than ${MOST_COUNTED} times` : `${Math.max(2, count)} times`
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Hint for a near miss: the line with the first line of `find`, if only the rest differs. */
function nearly(text: string, find: string): string {
  const first = find
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
  const at = first === undefined ? -1 : text.indexOf(first)
  return at < 0 ? '' : ` Its first line stands in line ${lineAt(text, at)}; the rest differs.`
}
