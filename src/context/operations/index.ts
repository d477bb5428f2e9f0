import { entry } from '../../operations/registry-entry.ts'

/** Operations of this room, in the order they are shown. */
export const CONTEXT_OPERATIONS = [
  entry('models_test', 'cli', ['models test'], () => import('./models-test.ts').then((file) => file.modelsTest)),
  entry('read_file', 'data', ['read-file'], () => import('./read-file.ts').then((file) => file.readFile)),
  entry('list_files', 'data', ['list-files', 'sources files'], () =>
    import('./list-files.ts').then((file) => file.listFiles),
  ),
  entry('search_files', 'data', ['search-files', 'sources find'], () =>
    import('./search-files.ts').then((file) => file.searchFiles),
  ),
  entry('grep_files', 'data', ['grep-files', 'sources grep'], () =>
    import('./grep-files.ts').then((file) => file.grepFiles),
  ),
  entry('list_tables', 'data', ['list-tables', 'sources tables'], () =>
    import('./list-tables.ts').then((file) => file.listTables),
  ),
  entry('describe_table', 'data', ['describe-table'], () =>
    import('./describe-table.ts').then((file) => file.describeTable),
  ),
  entry('execute_sql', 'data', ['execute-sql'], () => import('./execute-sql.ts').then((file) => file.executeSql)),
  entry('read_result', 'data', ['read-result'], () => import('./read-result.ts').then((file) => file.readResult)),
  entry('run_sql', 'cli', ['sql', 'sources sql'], () => import('./run-sql.ts').then((file) => file.runSql)),
  entry('sync_sources', 'cli', ['sync', 'sources sync', 'sync sources'], () =>
    import('./sync-sources.ts').then((file) => file.syncSources),
  ),
  entry('init_context', 'cli', ['init-context'], () => import('./init-context.ts').then((file) => file.initContext)),
  entry('source_add', 'cli', ['source add', 'sources add'], () =>
    import('./source-add.ts').then((file) => file.sourceAdd),
  ),
  entry('source_list', 'cli', ['source', 'sources', 'sources list', 'source list'], () =>
    import('./source-list.ts').then((file) => file.sourceList),
  ),
  entry('source_test', 'cli', ['source test', 'sources test'], () =>
    import('./sources.ts').then((file) => file.sourceTest),
  ),
  entry('source_remove', 'cli', ['source remove', 'sources remove', 'source rm'], () =>
    import('./sources.ts').then((file) => file.sourceRemove),
  ),
  entry('source_kinds', 'cli', ['source kinds', 'sources kinds'], () =>
    import('./source-kinds.ts').then((file) => file.sourceKinds),
  ),
  entry('context_show', 'cli', ['context show', 'sources show'], () =>
    import('./context-show.ts').then((file) => file.contextShow),
  ),
  entry('context_plan', 'cli', ['context plan'], () => import('./context-plan.ts').then((file) => file.contextPlan)),
  entry('context_save', 'cli', ['context save'], () => import('./context-save.ts').then((file) => file.contextSave)),
  entry('context_files', 'app', ['context files'], () =>
    import('./context-files.ts').then((file) => file.contextFiles),
  ),
  entry('table_facts', 'app', ['table', 'sources table', 'context table'], () =>
    import('./table-facts.ts').then((file) => file.tableFacts),
  ),
  entry('trust', 'cli', ['trust', 'sources trust'], () => import('./trust.ts').then((file) => file.trust)),
  entry('debug', 'cli', ['debug', 'sources debug'], () => import('./debug.ts').then((file) => file.debug)),
]
