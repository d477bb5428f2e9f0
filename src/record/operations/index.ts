import { entry } from '../../operations/registry-entry.ts'

/** The record operations, in display order. */
export const RECORD_OPERATIONS = [
  entry('get_context', 'record', ['context', 'decisions context', 'get-context'], () =>
    import('./get-context.ts').then((file) => file.getContext),
  ),
  entry('brief', 'record', ['brief'], () => import('./brief.ts').then((file) => file.brief)),
  entry('get_raw_file', 'record', ['get-raw-file'], () => import('./get-raw-file.ts').then((file) => file.getRawFile)),
  entry('list_decisions', 'record', ['list', 'decisions list', 'ls', 'decisions', 'list-decisions'], () =>
    import('./list-decisions.ts').then((file) => file.listDecisions),
  ),
  entry('get_decision', 'record', ['show', 'decisions show', 'get-decision'], () =>
    import('./get-decision.ts').then((file) => file.getDecision),
  ),
  entry('diff_since_last_session', 'record', ['diff', 'decisions diff', 'diff-since-last-session'], () =>
    import('./diff-since-last-session.ts').then((file) => file.diffSinceLastSession),
  ),
  entry('search_decisions', 'record', ['search-decisions'], () =>
    import('./search-decisions.ts').then((file) => file.searchDecisions),
  ),
  entry('check_decision', 'record', ['check', 'decisions check', 'check-decision'], () =>
    import('./check-decision.ts').then((file) => file.checkDecision),
  ),
  entry('propose_decision', 'record', ['add', 'decisions add', 'propose', 'propose-decision'], () =>
    import('./propose-decision.ts').then((file) => file.proposeDecision),
  ),
  entry('flag_question', 'record', ['question', 'questions add', 'flag-question'], () =>
    import('./flag-question.ts').then((file) => file.flagQuestion),
  ),
  entry('update_state', 'record', ['state', 'decisions state', 'update-state'], () =>
    import('./update-state.ts').then((file) => file.updateState),
  ),
  entry('guard', 'code', ['guard', 'code guard'], () => import('./guard.ts').then((file) => file.guard)),
  entry('drift', 'code', ['drift', 'code drift'], () => import('./drift.ts').then((file) => file.drift)),
  entry('pull_request', 'cli', ['pull-request', 'code pull-request'], () =>
    import('./pull-request.ts').then((file) => file.pullRequest),
  ),
  entry('list_projects', 'record', ['projects', 'list-projects', 'projects list'], () =>
    import('./projects.ts').then((file) => file.listProjects),
  ),
  entry('link', 'cli', ['link', 'team link'], () => import('./link.ts').then((file) => file.link)),
  entry('unlink', 'cli', ['unlink', 'team unlink'], () => import('./unlink.ts').then((file) => file.unlink)),
  entry('sync_team', 'cli', ['sync team', 'team sync', 'sync-team'], () =>
    import('./sync-team.ts').then((file) => file.syncTeam),
  ),
  entry('overview', 'app', ['overview'], () => import('./overview.ts').then((file) => file.overview)),
  entry('news', 'app', ['news'], () => import('./news.ts').then((file) => file.news)),
  entry('jot', 'cli', ['jot'], () => import('./jot.ts').then((file) => file.jot)),
  entry('questions', 'cli', ['questions', 'questions list'], () =>
    import('./questions.ts').then((file) => file.questions),
  ),
  entry('conflicts', 'cli', ['conflicts', 'questions conflicts'], () =>
    import('./conflicts.ts').then((file) => file.conflicts),
  ),
  entry('resolve_conflict', 'cli', ['conflicts resolve', 'resolve-conflict'], () =>
    import('./conflicts.ts').then((file) => file.resolveConflict),
  ),
  entry('questions_migrate', 'cli', ['questions migrate'], () =>
    import('./questions.ts').then((file) => file.questionsMigrate),
  ),
  entry('decision_history', 'app', ['history', 'decisions history'], () =>
    import('./decision-history.ts').then((file) => file.decisionHistory),
  ),
  entry('graph', 'cli', ['graph', 'decisions graph'], () => import('./graph.ts').then((file) => file.graph)),
  entry('log', 'cli', ['log', 'decisions log'], () => import('./log.ts').then((file) => file.log)),
  entry('restore', 'cli', ['restore', 'decisions restore'], () => import('./restore.ts').then((file) => file.restore)),
  entry('undo', 'cli', ['undo', 'decisions undo'], () => import('./undo.ts').then((file) => file.undo)),
  entry('redo', 'cli', ['redo', 'decisions redo'], () => import('./redo.ts').then((file) => file.redo)),
  entry('journal', 'cli', ['journal', 'decisions journal'], () => import('./journal.ts').then((file) => file.journal)),
  entry('doctor', 'cli', ['doctor', 'decisions doctor'], () => import('./doctor.ts').then((file) => file.doctor)),
  entry('repair', 'cli', ['repair', 'decisions repair'], () => import('./repair.ts').then((file) => file.repair)),
  entry('verify', 'cli', ['verify', 'decisions verify'], () => import('./verify.ts').then((file) => file.verify)),
  entry('accept', 'cli', ['accept', 'decisions accept'], () => import('./accept.ts').then((file) => file.accept)),
  entry('edit', 'cli', ['edit', 'decisions edit'], () => import('./edit.ts').then((file) => file.edit)),
  entry('redact', 'cli', ['redact', 'decisions redact'], () => import('./redact.ts').then((file) => file.redact)),
  entry('remove_project', 'cli', ['projects rm', 'projects delete'], () =>
    import('./projects.ts').then((file) => file.removeProject),
  ),
  entry('import_adr', 'cli', ['import adr', 'decisions import'], () =>
    import('./import-adr.ts').then((file) => file.importAdr),
  ),
  entry('import_memory_bank', 'cli', ['import memory-bank'], () =>
    import('./import-memory-bank.ts').then((file) => file.importMemoryBank),
  ),
  entry('import_nauro', 'cli', ['import nauro'], () => import('./import-nauro.ts').then((file) => file.importNauro)),
  entry('export_adr', 'cli', ['export adr', 'decisions export'], () =>
    import('./export-adr.ts').then((file) => file.exportAdr),
  ),
]
