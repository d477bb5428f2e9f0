/** Whether a name fits a pattern with `*` and `?`; case does not matter. A pattern without a dot fits the last part. */
export function fitsName(name: string, pattern: string): boolean {
  const whole = new RegExp(`^${pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*').replaceAll('?', '.')}$`, 'isu')
  return whole.test(name) || (!pattern.includes('.') && whole.test(name.slice(name.lastIndexOf('.') + 1)))
}

/** All names when nothing is included; what is excluded stays out either way. */
export const isTaken = (name: string, { include, exclude }: { readonly include: readonly string[]; readonly exclude: readonly string[] }): boolean =>
  (include.length === 0 || include.some((pattern) => fitsName(name, pattern))) && !exclude.some((pattern) => fitsName(name, pattern))
