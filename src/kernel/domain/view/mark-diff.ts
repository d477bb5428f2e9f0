import type { Tone } from './styled.ts'
import type { View } from './view.ts'

const TONES: Readonly<Record<string, Tone>> = { '+': 'good', '-': 'bad', '~': 'warning', '@': 'dim' }

/** Marks added, removed and changed lines, each in its tone; the text itself stays unchanged. */
export const markDiff = (text: string, view: View): string =>
  text
    .split('\n')
    .map((line) => {
      const tone = TONES[/^\s*([-+~@])/.exec(line)?.[1] ?? '']
      return tone === undefined ? line : view.mark(tone, line)
    })
    .join('\n')
