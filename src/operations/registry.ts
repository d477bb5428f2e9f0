import { HOSTED_ENTRIES } from './hosted-entries.ts'
import { isOffered } from './is-offered.ts'
import type { OfferedToolset } from './operation.ts'
import { entry, type CallOf, type RegisteredOperation, type RegistryEntry } from './registry-entry.ts'

export type { RegisteredOperation, RegistryEntry }

/** Everything Ken can do, in the order it is shown. Every list of operations anywhere is derived from this one. */
const ENTRIES = [
  entry('get_context', 'record', ['context', 'get-context'], () =>
    import('./record/get-context.ts').then((file) => file.getContext),
  ),
  entry('brief', 'record', ['brief'], () => import('./record/brief.ts').then((file) => file.brief)),
  entry('get_raw_file', 'record', ['get-raw-file'], () =>
    import('./record/get-raw-file.ts').then((file) => file.getRawFile),
  ),
  entry('list_decisions', 'record', ['list', 'ls', 'decisions', 'list-decisions'], () =>
    import('./record/list-decisions.ts').then((file) => file.listDecisions),
  ),
  entry('get_decision', 'record', ['show', 'get-decision'], () =>
    import('./record/get-decision.ts').then((file) => file.getDecision),
  ),
  entry('diff_since_last_session', 'record', ['diff', 'diff-since-last-session'], () =>
    import('./record/diff-since-last-session.ts').then((file) => file.diffSinceLastSession),
  ),
  entry('search_decisions', 'record', ['search-decisions'], () =>
    import('./record/search-decisions.ts').then((file) => file.searchDecisions),
  ),
  entry('check_decision', 'record', ['check', 'check-decision'], () =>
    import('./record/check-decision.ts').then((file) => file.checkDecision),
  ),
  entry('propose_decision', 'record', ['add', 'propose', 'propose-decision'], () =>
    import('./record/propose-decision.ts').then((file) => file.proposeDecision),
  ),
  entry('flag_question', 'record', ['question', 'flag-question'], () =>
    import('./record/flag-question.ts').then((file) => file.flagQuestion),
  ),
  entry('update_state', 'record', ['state', 'update-state'], () =>
    import('./record/update-state.ts').then((file) => file.updateState),
  ),
  entry('guard', 'code', ['guard'], () => import('./record/guard.ts').then((file) => file.guard)),
  entry('drift', 'code', ['drift'], () => import('./record/drift.ts').then((file) => file.drift)),
  entry('list_projects', 'record', ['projects', 'list-projects', 'projects list'], () =>
    import('./record/projects.ts').then((file) => file.listProjects),
  ),
  entry('init', 'cli', ['init'], () => import('./cli/init.ts').then((file) => file.init)),
  entry('adopt', 'cli', ['adopt'], () => import('./cli/adopt.ts').then((file) => file.adopt)),
  entry('attach', 'cli', ['attach'], () => import('./cli/attach.ts').then((file) => file.attach)),
  entry('link', 'cli', ['link'], () => import('./record/link.ts').then((file) => file.link)),
  entry('unlink', 'cli', ['unlink'], () => import('./record/unlink.ts').then((file) => file.unlink)),
  entry('sync_team', 'cli', ['sync team', 'sync-team'], () =>
    import('./record/sync-team.ts').then((file) => file.syncTeam),
  ),
  entry('reconnect', 'cli', ['reconnect'], () => import('./cli/reconnect.ts').then((file) => file.reconnect)),
  entry('setup', 'cli', ['setup'], () => import('./cli/setup.ts').then((file) => file.setup)),
  entry('clients_list', 'cli', ['clients', 'clients list'], () =>
    import('./cli/clients.ts').then((file) => file.clientsList),
  ),
  entry('agents_md', 'cli', ['agents-md'], () => import('./cli/agents-md.ts').then((file) => file.agentsMd)),
  entry('demo', 'cli', ['demo'], () => import('./cli/demo.ts').then((file) => file.demo)),
  entry('status', 'cli', ['status'], () => import('./cli/status.ts').then((file) => file.status)),
  entry('overview', 'app', ['overview'], () => import('./record/overview.ts').then((file) => file.overview)),
  entry('news', 'app', ['news'], () => import('./record/news.ts').then((file) => file.news)),
  entry('jot', 'cli', ['jot'], () => import('./record/jot.ts').then((file) => file.jot)),
  entry('questions', 'cli', ['questions'], () => import('./record/questions.ts').then((file) => file.questions)),
  entry('questions_migrate', 'cli', ['questions migrate'], () =>
    import('./record/questions.ts').then((file) => file.questionsMigrate),
  ),
  entry('decision_history', 'app', ['history'], () =>
    import('./record/decision-history.ts').then((file) => file.decisionHistory),
  ),
  entry('graph', 'cli', ['graph'], () => import('./record/graph.ts').then((file) => file.graph)),
  entry('log', 'cli', ['log'], () => import('./record/log.ts').then((file) => file.log)),
  entry('restore', 'cli', ['restore'], () => import('./record/restore.ts').then((file) => file.restore)),
  entry('undo', 'cli', ['undo'], () => import('./record/undo.ts').then((file) => file.undo)),
  entry('redo', 'cli', ['redo'], () => import('./record/redo.ts').then((file) => file.redo)),
  entry('journal', 'cli', ['journal'], () => import('./record/journal.ts').then((file) => file.journal)),
  entry('doctor', 'cli', ['doctor'], () => import('./record/doctor.ts').then((file) => file.doctor)),
  entry('repair', 'cli', ['repair'], () => import('./record/repair.ts').then((file) => file.repair)),
  entry('verify', 'cli', ['verify'], () => import('./record/verify.ts').then((file) => file.verify)),
  entry('accept', 'cli', ['accept'], () => import('./record/accept.ts').then((file) => file.accept)),
  entry('edit', 'cli', ['edit'], () => import('./record/edit.ts').then((file) => file.edit)),
  entry('redact', 'cli', ['redact'], () => import('./record/redact.ts').then((file) => file.redact)),
  entry('remove_project', 'cli', ['projects rm'], () =>
    import('./record/projects.ts').then((file) => file.removeProject),
  ),
  entry('import_adr', 'cli', ['import adr'], () => import('./record/import-adr.ts').then((file) => file.importAdr)),
  entry('import_memory_bank', 'cli', ['import memory-bank'], () =>
    import('./record/import-memory-bank.ts').then((file) => file.importMemoryBank),
  ),
  entry('import_nauro', 'cli', ['import nauro'], () =>
    import('./record/import-nauro.ts').then((file) => file.importNauro),
  ),
  entry('export_adr', 'cli', ['export adr'], () => import('./record/export-adr.ts').then((file) => file.exportAdr)),
  entry('config_list', 'cli', ['config', 'config list'], () =>
    import('./cli/config.ts').then((file) => file.configList),
  ),
  entry('config_get', 'cli', ['config get'], () => import('./cli/config.ts').then((file) => file.configGet)),
  entry('config_set', 'cli', ['config set'], () => import('./cli/config.ts').then((file) => file.configSet)),
  entry('config_unset', 'cli', ['config unset'], () => import('./cli/config.ts').then((file) => file.configUnset)),
  entry('key_list', 'cli', ['keys', 'keys list'], () => import('./agent/keys.ts').then((file) => file.keyList)),
  entry('key_set', 'cli', ['keys set'], () => import('./agent/keys.ts').then((file) => file.keySet)),
  entry('key_remove', 'cli', ['keys remove', 'keys rm'], () =>
    import('./agent/keys.ts').then((file) => file.keyRemove),
  ),
  entry('privacy', 'cli', ['privacy'], () => import('./cli/privacy.ts').then((file) => file.privacy)),
  entry('storage', 'cli', ['storage'], () => import('./cli/storage.ts').then((file) => file.storage)),
  entry('token_show', 'cli', ['token', 'token show'], () => import('./cli/token.ts').then((file) => file.tokenShow)),
  entry('token_renew', 'cli', ['token renew'], () => import('./cli/token.ts').then((file) => file.tokenRenew)),
  entry('browsers_list', 'cli', ['browsers', 'browsers list'], () =>
    import('./cli/browsers.ts').then((file) => file.browsersList),
  ),
  entry('browsers_end', 'cli', ['browsers end'], () => import('./cli/browsers.ts').then((file) => file.browsersEnd)),
  entry('confirm', 'cli', ['confirm'], () => import('./cli/confirm.ts').then((file) => file.confirm)),
  entry('telemetry_status', 'cli', ['telemetry', 'telemetry status'], () =>
    import('./cli/telemetry.ts').then((file) => file.telemetryStatus),
  ),
  entry('telemetry_enable', 'cli', ['telemetry enable'], () =>
    import('./cli/telemetry.ts').then((file) => file.telemetryEnable),
  ),
  entry('telemetry_disable', 'cli', ['telemetry disable'], () =>
    import('./cli/telemetry.ts').then((file) => file.telemetryDisable),
  ),
  entry('memory_search', 'memory', ['search', 'memory-search'], () =>
    import('./memory/memory-search.ts').then((file) => file.memorySearch),
  ),
  entry('memory_vsearch', 'memory', ['vsearch', 'memory-vsearch'], () =>
    import('./memory/memory-search.ts').then((file) => file.memoryVsearch),
  ),
  entry('memory_query', 'memory', ['query', 'memory-query'], () =>
    import('./memory/memory-search.ts').then((file) => file.memoryQuery),
  ),
  entry('memory_get', 'memory', ['get', 'memory-get'], () =>
    import('./memory/memory-get.ts').then((file) => file.memoryGet),
  ),
  entry('memory_multi_get', 'memory', ['multi-get', 'memory-multi-get'], () =>
    import('./memory/memory-get.ts').then((file) => file.memoryMultiGet),
  ),
  entry('memory_browse', 'app', ['browse'], () =>
    import('./memory/memory-browse.ts').then((file) => file.memoryBrowse),
  ),
  entry('memory_facets', 'app', ['facets'], () =>
    import('./memory/memory-facets.ts').then((file) => file.memoryFacets),
  ),
  entry('session_show', 'app', ['session show'], () =>
    import('./memory/session-show.ts').then((file) => file.sessionShow),
  ),
  entry('notes_list', 'cli', ['notes', 'notes list'], () => import('./memory/notes.ts').then((file) => file.notesList)),
  entry('note_show', 'cli', ['notes show'], () => import('./memory/notes.ts').then((file) => file.noteShow)),
  entry('note_save', 'cli', ['notes save', 'notes edit'], () =>
    import('./memory/note-save.ts').then((file) => file.noteSave),
  ),
  entry('memory_write', 'memory', ['note', 'write', 'memory-write'], () =>
    import('./memory/memory-write.ts').then((file) => file.memoryWrite),
  ),
  entry('memory_status', 'memory', ['memory-status'], () =>
    import('./memory/memory-status.ts').then((file) => file.memoryStatus),
  ),
  entry('memory_update', 'memory', ['update', 'memory-update'], () =>
    import('./memory/memory-update.ts').then((file) => file.memoryUpdate),
  ),
  entry('memory_index_codebase', 'memory', ['index-codebase', 'memory-index-codebase'], () =>
    import('./memory/memory-index-codebase.ts').then((file) => file.memoryIndexCodebase),
  ),
  entry('symbols', 'code', ['symbols'], () => import('./code/code-graph.ts').then((file) => file.symbols)),
  entry('impact', 'code', ['impact'], () => import('./code/code-graph.ts').then((file) => file.impact)),
  entry('embed', 'cli', ['embed'], () => import('./memory/memory-update.ts').then((file) => file.embed)),
  entry('reindex', 'cli', ['reindex'], () => import('./memory/memory-update.ts').then((file) => file.reindex)),
  entry('models_list', 'cli', ['models', 'models list'], () =>
    import('./memory/model-shelf.ts').then((file) => file.modelsList),
  ),
  entry('models_pull', 'cli', ['models pull'], () => import('./memory/model-shelf.ts').then((file) => file.modelsPull)),
  entry('models_remove', 'cli', ['models remove'], () =>
    import('./memory/model-shelf.ts').then((file) => file.modelsRemove),
  ),
  entry('models_test', 'cli', ['models test'], () =>
    import('./context/models-test.ts').then((file) => file.modelsTest),
  ),
  entry('collection_add', 'cli', ['collection add'], () =>
    import('./memory/collections.ts').then((file) => file.collectionAdd),
  ),
  entry('collection_remove', 'cli', ['collection remove', 'collection rm'], () =>
    import('./memory/collections.ts').then((file) => file.collectionRemove),
  ),
  entry('collection_rename', 'cli', ['collection rename'], () =>
    import('./memory/collections.ts').then((file) => file.collectionRename),
  ),
  entry('collection_list', 'cli', ['collection', 'collection list'], () =>
    import('./memory/collections.ts').then((file) => file.collectionList),
  ),
  entry('harvest', 'cli', ['harvest'], () => import('./memory/harvest.ts').then((file) => file.harvest)),
  entry('watch', 'cli', ['watch'], () => import('./memory/watch.ts').then((file) => file.watch)),
  entry('share', 'cli', ['share'], () => import('./memory/share.ts').then((file) => file.share)),
  entry('unshare', 'cli', ['unshare'], () => import('./memory/unshare.ts').then((file) => file.unshare)),
  entry('shared', 'cli', ['shared'], () => import('./memory/shared.ts').then((file) => file.shared)),
  entry('forget', 'cli', ['forget'], () => import('./memory/forget.ts').then((file) => file.forget)),
  entry('read_file', 'data', ['read-file'], () => import('./context/read-file.ts').then((file) => file.readFile)),
  entry('list_files', 'data', ['list-files'], () => import('./context/list-files.ts').then((file) => file.listFiles)),
  entry('search_files', 'data', ['search-files'], () =>
    import('./context/search-files.ts').then((file) => file.searchFiles),
  ),
  entry('grep_files', 'data', ['grep-files'], () => import('./context/grep-files.ts').then((file) => file.grepFiles)),
  entry('list_tables', 'data', ['list-tables'], () =>
    import('./context/list-tables.ts').then((file) => file.listTables),
  ),
  entry('describe_table', 'data', ['describe-table'], () =>
    import('./context/describe-table.ts').then((file) => file.describeTable),
  ),
  entry('execute_sql', 'data', ['execute-sql'], () =>
    import('./context/execute-sql.ts').then((file) => file.executeSql),
  ),
  entry('read_result', 'data', ['read-result'], () =>
    import('./context/read-result.ts').then((file) => file.readResult),
  ),
  entry('ask', 'data', ['ask'], () => import('./agent/ask.ts').then((file) => file.ask)),
  entry('chats_list', 'app', ['chats', 'chats list'], () =>
    import('./agent/chats-list.ts').then((file) => file.chatsList),
  ),
  entry('chat_show', 'app', ['chats show'], () => import('./agent/chat-show.ts').then((file) => file.chatShow)),
  entry('chat_rename', 'app', ['chats rename'], () =>
    import('./agent/chat-changes.ts').then((file) => file.chatRename),
  ),
  entry('chat_star', 'app', ['chats star'], () => import('./agent/chat-changes.ts').then((file) => file.chatStar)),
  entry('chat_delete', 'app', ['chats delete', 'chats rm'], () =>
    import('./agent/chat-changes.ts').then((file) => file.chatDelete),
  ),
  entry('chat_restore', 'app', ['chats restore'], () =>
    import('./agent/chat-changes.ts').then((file) => file.chatRestore),
  ),
  entry('chat_export', 'app', ['chats export'], () => import('./agent/chat-export.ts').then((file) => file.chatExport)),
  entry('usage', 'app', ['usage'], () => import('./agent/usage.ts').then((file) => file.usage)),
  entry('clarify', 'analyst', ['clarify'], () => import('./agent/clarify.ts').then((file) => file.clarify)),
  entry('suggest_follow_ups', 'analyst', ['suggest-follow-ups'], () =>
    import('./agent/suggest-follow-ups.ts').then((file) => file.suggestFollowUps),
  ),
  entry('display_chart', 'data', ['display-chart'], () =>
    import('./agent/display-chart.ts').then((file) => file.displayChart),
  ),
  entry('draw_chart', 'cli', ['chart'], () => import('./agent/draw-chart.ts').then((file) => file.drawChart)),
  entry('run_sql', 'cli', ['sql'], () => import('./context/run-sql.ts').then((file) => file.runSql)),
  entry('chat_follow', 'app', ['chats follow'], () => import('./agent/chat-follow.ts').then((file) => file.chatFollow)),
  entry('chat_stop', 'app', ['chats stop'], () => import('./agent/chat-stop.ts').then((file) => file.chatStop)),
  entry('chat_branch', 'app', ['chats branch'], () => import('./agent/chat-branch.ts').then((file) => file.chatBranch)),
  entry('chat_result', 'app', ['chats result'], () => import('./agent/chat-result.ts').then((file) => file.chatResult)),
  entry('mentions', 'app', ['mentions'], () => import('./agent/mentions.ts').then((file) => file.mentions)),
  entry('answerers', 'app', ['models answerers'], () => import('./agent/answerers.ts').then((file) => file.answerers)),
  entry('story_from_answer', 'app', ['stories from-answer'], () =>
    import('./agent/story-from-answer.ts').then((file) => file.storyFromAnswer),
  ),
  entry('chat_approve', 'app', ['chats approve'], () =>
    import('./agent/chat-approve.ts').then((file) => file.chatApprove),
  ),
  entry('sync_sources', 'cli', ['sync', 'sync sources'], () =>
    import('./context/sync-sources.ts').then((file) => file.syncSources),
  ),
  entry('init_context', 'cli', ['init-context'], () =>
    import('./context/init-context.ts').then((file) => file.initContext),
  ),
  entry('source_add', 'cli', ['source add'], () => import('./context/source-add.ts').then((file) => file.sourceAdd)),
  entry('source_list', 'cli', ['source', 'source list'], () =>
    import('./context/source-list.ts').then((file) => file.sourceList),
  ),
  entry('source_test', 'cli', ['source test'], () => import('./context/sources.ts').then((file) => file.sourceTest)),
  entry('source_remove', 'cli', ['source remove', 'source rm'], () =>
    import('./context/sources.ts').then((file) => file.sourceRemove),
  ),
  entry('source_kinds', 'cli', ['source kinds'], () =>
    import('./context/source-kinds.ts').then((file) => file.sourceKinds),
  ),
  entry('context_show', 'cli', ['context show'], () =>
    import('./context/context-show.ts').then((file) => file.contextShow),
  ),
  entry('context_plan', 'cli', ['context plan'], () =>
    import('./context/context-plan.ts').then((file) => file.contextPlan),
  ),
  entry('context_save', 'cli', ['context save'], () =>
    import('./context/context-save.ts').then((file) => file.contextSave),
  ),
  entry('context_files', 'app', ['context files'], () =>
    import('./context/context-files.ts').then((file) => file.contextFiles),
  ),
  entry('table_facts', 'app', ['table', 'context table'], () =>
    import('./context/table-facts.ts').then((file) => file.tableFacts),
  ),
  entry('trust', 'cli', ['trust'], () => import('./context/trust.ts').then((file) => file.trust)),
  entry('feedback', 'app', ['feedback'], () => import('./agent/feedback.ts').then((file) => file.feedback)),
  entry('feedback_list', 'app', ['feedback list'], () =>
    import('./agent/feedback.ts').then((file) => file.feedbackList),
  ),
  entry('inbox_list', 'app', ['inbox', 'inbox list'], () => import('./agent/inbox.ts').then((file) => file.inboxList)),
  entry('inbox_show', 'app', ['inbox show'], () => import('./agent/inbox.ts').then((file) => file.inboxShow)),
  entry('inbox_apply', 'app', ['inbox apply'], () => import('./agent/inbox-settle.ts').then((file) => file.inboxApply)),
  entry('inbox_edit', 'app', ['inbox edit'], () => import('./agent/inbox-settle.ts').then((file) => file.inboxEdit)),
  entry('inbox_dismiss', 'app', ['inbox dismiss'], () =>
    import('./agent/inbox-settle.ts').then((file) => file.inboxDismiss),
  ),
  entry('inbox_undo', 'app', ['inbox undo'], () => import('./agent/inbox-settle.ts').then((file) => file.inboxUndo)),
  entry('test_record', 'app', ['test record'], () =>
    import('./evaluation/test-record.ts').then((file) => file.testRecord),
  ),
  entry('mcps_list', 'app', ['mcps', 'mcps list'], () => import('./agent/mcps.ts').then((file) => file.mcpsList)),
  entry('mcps_test', 'app', ['mcps test'], () => import('./agent/mcps.ts').then((file) => file.mcpsTest)),
  entry('debug', 'cli', ['debug'], () => import('./context/debug.ts').then((file) => file.debug)),
  entry('memories_list', 'app', ['memories', 'memories list'], () =>
    import('./agent/memories-list.ts').then((file) => file.memoriesList),
  ),
  entry('memories_add', 'app', ['memories add'], () =>
    import('./agent/memories-change.ts').then((file) => file.memoriesAdd),
  ),
  entry('memories_edit', 'app', ['memories edit'], () =>
    import('./agent/memories-change.ts').then((file) => file.memoriesEdit),
  ),
  entry('memories_forget', 'app', ['memories forget', 'memories rm'], () =>
    import('./agent/memories-change.ts').then((file) => file.memoriesForget),
  ),
  entry('memories_undo', 'app', ['memories undo'], () =>
    import('./agent/memories-change.ts').then((file) => file.memoriesUndo),
  ),
  entry('memories_history', 'app', ['memories history'], () =>
    import('./agent/memories-list.ts').then((file) => file.memoriesHistory),
  ),
  entry('memories_export', 'app', ['memories export'], () =>
    import('./agent/memories-list.ts').then((file) => file.memoriesExport),
  ),
  entry('memories_promote', 'app', ['memories promote'], () =>
    import('./agent/memories-promote.ts').then((file) => file.memoriesPromote),
  ),
  entry('memories_learn', 'app', ['memories learn'], () =>
    import('./agent/memories-learn.ts').then((file) => file.memoriesLearn),
  ),
  entry('remember', 'data', ['remember'], () => import('./agent/remember.ts').then((file) => file.remember)),
  entry('story', 'analyst', ['story', 'stories write'], () => import('./agent/story.ts').then((file) => file.story)),
  entry('stories_list', 'app', ['stories', 'stories list'], () =>
    import('./agent/stories.ts').then((file) => file.storiesList),
  ),
  entry('story_show', 'app', ['stories show'], () => import('./agent/stories.ts').then((file) => file.storyShow)),
  entry('story_versions', 'app', ['stories versions'], () =>
    import('./agent/stories.ts').then((file) => file.storyVersions),
  ),
  entry('story_diff', 'app', ['stories diff'], () => import('./agent/stories.ts').then((file) => file.storyDiff)),
  entry('story_edit', 'app', ['stories edit'], () => import('./agent/story-edit.ts').then((file) => file.storyEdit)),
  entry('story_restore', 'app', ['stories restore'], () =>
    import('./agent/story-edit.ts').then((file) => file.storyRestore),
  ),
  entry('story_archive', 'app', ['stories archive'], () =>
    import('./agent/story-edit.ts').then((file) => file.storyArchive),
  ),
  entry('story_unarchive', 'app', ['stories unarchive'], () =>
    import('./agent/story-edit.ts').then((file) => file.storyUnarchive),
  ),
  entry('story_refresh', 'app', ['stories refresh'], () =>
    import('./agent/story-refresh.ts').then((file) => file.storyRefresh),
  ),
  entry('story_schedule', 'app', ['stories schedule'], () =>
    import('./agent/story-refresh.ts').then((file) => file.storySchedule),
  ),
  entry('story_export', 'app', ['stories export'], () =>
    import('./agent/story-export.ts').then((file) => file.storyExport),
  ),
  entry('test_run', 'app', ['test'], () => import('./evaluation/test-run.ts').then((file) => file.testRun)),
  entry('test_cases', 'app', ['test list', 'test cases'], () =>
    import('./evaluation/test-cases.ts').then((file) => file.testCases),
  ),
  entry('test_runs', 'app', ['test runs'], () => import('./evaluation/test-runs.ts').then((file) => file.testRuns)),
  entry('test_show', 'app', ['test show'], () => import('./evaluation/test-show.ts').then((file) => file.testShow)),
  entry('test_report', 'app', ['test report'], () =>
    import('./evaluation/test-report.ts').then((file) => file.testReport),
  ),
  ...HOSTED_ENTRIES,
]

export const REGISTRY: readonly RegistryEntry[] = ENTRIES

/** The operations of a machine: of some toolsets, all when none is named. */
export function loadOperations(toolsets?: readonly OfferedToolset[]): Promise<RegisteredOperation[]> {
  const wanted = REGISTRY.filter(
    (one) => one.toolset !== 'team' && (toolsets === undefined || isOffered(one, toolsets)),
  )
  return Promise.all(wanted.map((one) => one.load()))
}

/** The operations of a team server, as they are there. */
export async function loadServed(): Promise<RegisteredOperation[]> {
  const all = await Promise.all(REGISTRY.map((one) => one.load()))
  return all.filter(({ onServer }) => onServer !== undefined).map((one) => ({ ...one, ...one.onServer }))
}

/** What a person types for it first. */
export const commandOf = (name: string): string =>
  REGISTRY.find((one) => one.name === name)?.command[0] ?? name.replaceAll('_', '-')

/** What each operation takes and gives, for clients that are compiled beside it. */
export type Calls = {
  readonly [E in (typeof ENTRIES)[number] as E['name']]: CallOf<NonNullable<E['defines']>>
}
