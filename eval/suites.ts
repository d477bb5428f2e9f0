import type { Suite } from './suite.ts'

/** Every suite of `npm run eval`. Loaded when it is run: one that cannot be loaded leaves the others alone. */
export const SUITES: readonly Suite[] = [
  {
    name: 'rejections',
    about: 'rejected alternatives found by name in what people propose',
    takes: 'seconds',
    run: async () => (await import('./rejections.ts')).rejectionFigures(),
  },
  {
    name: 'guard',
    about: 'changes that bring back what was rejected',
    takes: 'a while',
    run: async () => (await import('./guard.ts')).guardFigures(),
  },
  {
    name: 'memory',
    about: 'what is kept of what users say',
    takes: 'seconds',
    run: async () => (await import('./memory.ts')).memoryFigures(),
  },
  {
    name: 'secrets',
    about: 'secrets caught, and ordinary text taken for one',
    takes: 'seconds',
    run: async () => (await import('./secrets.ts')).secretFigures(),
  },
  {
    name: 'personal',
    about: 'personal values masked, and values that are nobody’s',
    takes: 'a while',
    run: async () => (await import('./personal.ts')).personalFigures(),
  },
  {
    name: 'citations',
    about: 'numbers of an answer that no query gave',
    takes: 'seconds',
    run: async () => (await import('./citations.ts')).citationFigures(),
  },
  {
    name: 'sql',
    about: 'statements that the gate judges wrongly, on real engines',
    takes: 'a while',
    run: async (options) => (await import('./sql-gate.ts')).sqlFigures(options),
  },
  {
    name: 'tools',
    about: 'the right tool of Ken picked among many',
    takes: 'seconds',
    run: async () => (await import('./tool-picking.ts')).toolFigures(),
  },
]
