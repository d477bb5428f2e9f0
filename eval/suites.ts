import type { Suite } from './suite.ts'

/** Every suite of `npm run eval`. Loaded when it is run: one that cannot be loaded leaves the others alone. */
export const SUITES: readonly Suite[] = [
  {
    name: 'retrieval',
    about: 'questions about Ken’s own record, guides and code',
    takes: 'seconds',
    run: async () => (await import('./retrieval.ts')).ownRetrievalFigures(),
  },
  {
    name: 'retrieval-public',
    about: 'LoCoMo, BEAM, Knowl, CoSQA and the ADRs of public projects',
    needs: 'data',
    takes: 'a while',
    run: async (options) => (await import('./retrieval.ts')).publicRetrievalFigures(options),
  },
  {
    name: 'check',
    about: 'what the decision check finds, and what it says of proposals that touch nothing',
    takes: 'a while',
    run: async () => (await import('./verdict.ts')).checkFigures(['5', 'own']),
  },
  {
    name: 'check-large',
    about: 'the same among 1,000 and 10,000 decisions',
    takes: 'minutes',
    run: async () => (await import('./verdict.ts')).checkFigures(['1000', '10000']),
  },
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
    name: 'drift',
    about: 'decisions that the code has left behind, and harmless changes',
    takes: 'a while',
    run: async () => (await import('./drift.ts')).driftFigures(),
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
    name: 'injection',
    about: 'orders in texts that a model reads and obeys: what comes of them',
    takes: 'a while',
    run: async () => (await import('./injection.ts')).injectionFigures(),
  },
  {
    name: 'analyst',
    about: 'what the analyst’s loop makes of right, sloppy, made-up and forbidden answers of a model',
    takes: 'a while',
    run: async () => (await import('./analyst.ts')).analystFigures(),
  },
  {
    name: 'analyst-linking',
    about: 'needed tables and columns in what the analyst’s model is told, on the demo shop',
    takes: 'a while',
    run: async () => (await import('./analyst-linking.ts')).shopLinkingFigures(),
  },
  {
    name: 'analyst-linking-public',
    about: 'the same on BEAVER, 463 tables of a real enterprise',
    needs: 'data',
    takes: 'a while',
    run: async (options) => (await import('./analyst-linking.ts')).beaverLinkingFigures(options),
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
    name: 'company',
    about: 'a made-up company of 160 tables: joins found, personal values in files, questions that could be answered',
    takes: 'a while',
    run: async () => (await import('./linking.ts')).companyFigures(),
  },
  {
    name: 'beaver',
    about: 'tables that a question needs among ten of 463 of a real enterprise',
    needs: 'data',
    takes: 'a while',
    run: async (options) => (await import('./beaver.ts')).beaverFigures(options),
  },
  {
    name: 'flips',
    about: 'changed bytes of a record that `ken verify` notices',
    takes: 'minutes',
    run: async () => (await import('./byte-flips.ts')).flipFigures(),
  },
  {
    name: 'tools',
    about: 'the right tool of Ken picked among many',
    takes: 'seconds',
    run: async () => (await import('./tool-picking.ts')).toolFigures(),
  },
]
