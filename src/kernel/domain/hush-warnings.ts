import { visible } from './trust/visible.ts'

interface Warns {
  emitWarning(...warning: never[]): void
}

/**
 * Node 22 says in every thread that its SQLite is experimental; in a hook an agent would read that on every prompt. The
 * YAML parser quotes the file that it complains about, byte for byte, and a clone's would reach the terminal so. To be
 * called before anything imports node:sqlite. Other warnings go out, with nothing in them that acts on a terminal.
 */
export function hushWarnings(thread: Warns): void {
  const emit = thread.emitWarning.bind(thread) as (...warning: unknown[]) => void
  thread.emitWarning = (...[warning, ...more]: unknown[]) => {
    const isHushed =
      String(warning).startsWith('SQLite is an experimental feature') ||
      (warning instanceof Error && warning.name === 'YAMLWarning')
    if (!isHushed) emit(typeof warning === 'string' ? visible(warning) : warning, ...more)
  }
}
