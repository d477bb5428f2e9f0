const AROUND = 2

/** Changes to a text, as lines with `-` and `+` and some context; empty if there are none. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [linesOf(before), linesOf(after)]
  let first = 0
  while (first < old.length && first < now.length && old[first] === now[first]) first++
  let last = 0
  while (last < old.length - first && last < now.length - first && old.at(-1 - last) === now.at(-1 - last)) last++
  return [
    ...old.slice(Math.max(0, first - AROUND), first).map((line) => `  ${line}`),
    ...old.slice(first, old.length - last).map((line) => `- ${line}`),
    ...now.slice(first, now.length - last).map((line) => `+ ${line}`),
    ...old.slice(old.length - last, old.length - last + AROUND).map((line) => `  ${line}`),
  ]
    .map((line) => line.trimEnd())
    .join('\n')
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))
