import { decisionNumber } from '../decision/decision-id.ts'
import { label } from '../decision/decision.ts'

/** Names decisions that are below the line, for every surface in the same words; nothing if there are none. */
export const nearestLine = (nearest: readonly { readonly id: string; readonly title: string }[]): string[] =>
  nearest.length === 0
    ? []
    : [
        `Below the line, nearest first: ${nearest.map(({ id, title }) => `${label(decisionNumber(id) ?? 0)} "${title}"`).join('; ')}.`,
      ]
