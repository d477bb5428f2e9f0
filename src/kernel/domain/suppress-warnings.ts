import { visible } from './trust/visible.ts'

interface Warns {
  emitWarning(...warning: never[]): void
}

/**
 * Node 22 warns in every thread that its SQLite is experimental; in a hook an agent would read that on every prompt.
 * The YAML parser quotes the offending file byte for byte, which for a clone would reach the terminal. Call before
 * anything imports node:sqlite. Other warnings are printed, without terminal control characters.
 */
export function suppressWarnings(thread: Warns): void {
  const emit = thread.emitWarning.bind(thread) as (...warning: unknown[]) => void
  thread.emitWarning = (...[warning, ...more]: unknown[]) => {
    const isHushed =
      String(warning).startsWith('SQLite is an experimental feature') ||
      (warning instanceof Error && warning.name === 'YAMLWarning')
    if (!isHushed) emit(typeof warning === 'string' ? visible(warning) : warning, ...more)
  }
}
