import { entry } from '../../operations/registry-entry.ts'

/** Operations of this room, in display order. */
export const MEMORY_OPERATIONS = [
  entry('memory_search', 'memory', ['memory-search'], () =>
    import('./memory-search.ts').then((file) => file.memorySearch),
  ),
  entry('memory_vsearch', 'memory', ['vsearch', 'memory-vsearch'], () =>
    import('./memory-search.ts').then((file) => file.memoryVsearch),
  ),
  entry('memory_query', 'memory', ['search', 'memory search', 'query', 'memory-query'], () =>
    import('./memory-search.ts').then((file) => file.memoryQuery),
  ),
  entry('memory_get', 'memory', ['get', 'memory-get'], () => import('./memory-get.ts').then((file) => file.memoryGet)),
  entry('memory_multi_get', 'memory', ['multi-get', 'memory read', 'memory-multi-get'], () =>
    import('./memory-get.ts').then((file) => file.memoryMultiGet),
  ),
  entry('memory_browse', 'app', ['browse'], () => import('./memory-browse.ts').then((file) => file.memoryBrowse)),
  entry('memory_facets', 'app', ['facets'], () => import('./memory-facets.ts').then((file) => file.memoryFacets)),
  entry('session_show', 'app', ['session show', 'memory session'], () =>
    import('./session-show.ts').then((file) => file.sessionShow),
  ),
  entry('notes_list', 'cli', ['notes', 'notes list'], () => import('./notes.ts').then((file) => file.notesList)),
  entry('note_show', 'cli', ['notes show'], () => import('./notes.ts').then((file) => file.noteShow)),
  entry('note_save', 'cli', ['notes save', 'notes edit'], () => import('./note-save.ts').then((file) => file.noteSave)),
  entry('memory_write', 'memory', ['note', 'memory note', 'write', 'memory-write'], () =>
    import('./memory-write.ts').then((file) => file.memoryWrite),
  ),
  entry('memory_status', 'memory', ['memory-status', 'memory status'], () =>
    import('./memory-status.ts').then((file) => file.memoryStatus),
  ),
  entry('memory_update', 'memory', ['update', 'memory update', 'memory-update'], () =>
    import('./memory-update.ts').then((file) => file.memoryUpdate),
  ),
  entry('memory_index_codebase', 'memory', ['index-codebase', 'code index', 'memory-index-codebase'], () =>
    import('./memory-index-codebase.ts').then((file) => file.memoryIndexCodebase),
  ),
  entry('symbols', 'code', ['symbols', 'code symbols'], () => import('./code-graph.ts').then((file) => file.symbols)),
  entry('impact', 'code', ['impact', 'code impact'], () => import('./code-graph.ts').then((file) => file.impact)),
  entry('embed', 'cli', ['embed', 'memory embed'], () => import('./memory-update.ts').then((file) => file.embed)),
  entry('reindex', 'cli', ['reindex', 'memory reindex'], () =>
    import('./memory-update.ts').then((file) => file.reindex),
  ),
  entry('models_list', 'cli', ['models', 'models list'], () =>
    import('./model-registry.ts').then((file) => file.modelsList),
  ),
  entry('models_pull', 'cli', ['models pull'], () => import('./model-registry.ts').then((file) => file.modelsPull)),
  entry('models_remove', 'cli', ['models remove'], () =>
    import('./model-registry.ts').then((file) => file.modelsRemove),
  ),
  entry('collection_add', 'cli', ['collection add'], () =>
    import('./collections.ts').then((file) => file.collectionAdd),
  ),
  entry('collection_remove', 'cli', ['collection remove', 'collection rm'], () =>
    import('./collections.ts').then((file) => file.collectionRemove),
  ),
  entry('collection_rename', 'cli', ['collection rename'], () =>
    import('./collections.ts').then((file) => file.collectionRename),
  ),
  entry('collection_list', 'cli', ['collection', 'collection list'], () =>
    import('./collections.ts').then((file) => file.collectionList),
  ),
  entry('harvest', 'cli', ['harvest', 'memory harvest'], () => import('./harvest.ts').then((file) => file.harvest)),
  entry('watch', 'cli', ['watch', 'memory watch'], () => import('./watch.ts').then((file) => file.watch)),
  entry('share', 'cli', ['share', 'team share'], () => import('./share.ts').then((file) => file.share)),
  entry('unshare', 'cli', ['unshare', 'team unshare'], () => import('./unshare.ts').then((file) => file.unshare)),
  entry('shared', 'cli', ['shared', 'team shared'], () => import('./shared.ts').then((file) => file.shared)),
  entry('forget', 'cli', ['forget', 'memory forget'], () => import('./forget.ts').then((file) => file.forget)),
]
