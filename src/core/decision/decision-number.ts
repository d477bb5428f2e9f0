/**
 * The number an identifier stands for: `042-some-title`, `042-x.md`, `decision-042`, `D42`, `42`. Undefined where there
 * is none. Only ASCII digits count; a run that continues in another script is no number.
 */
export function decisionNumber(id: string): number | undefined {
  const digits = /^(?:decision-|d(?=[0-9]))?([0-9]+)(?!\p{Nd})/iu.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
