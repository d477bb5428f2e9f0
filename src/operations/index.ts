import { adopt } from './adopt.ts'
import { agentsMd } from './agents-md.ts'
import { checkDecision } from './check-decision.ts'
import { configGet, configList, configSet, configUnset } from './config.ts'
import { demo } from './demo.ts'
import { diffSinceLastSession } from './diff-since-last-session.ts'
import { doctor } from './doctor.ts'
import { exportAdr } from './export-adr.ts'
import { flagQuestion } from './flag-question.ts'
import { forget } from './forget.ts'
import { getContext } from './get-context.ts'
import { getDecision } from './get-decision.ts'
import { getRawFile } from './get-raw-file.ts'
import { importAdr } from './import-adr.ts'
import { importMemoryBank } from './import-memory-bank.ts'
import { importNauro } from './import-nauro.ts'
import { graph } from './graph.ts'
import { guard } from './guard.ts'
import { harvest } from './harvest.ts'
import { init } from './init.ts'
import { journal } from './journal.ts'
import { listDecisions } from './list-decisions.ts'
import { log } from './log.ts'
import { note } from './note.ts'
import { collectionAdd, collectionList, collectionRemove, collectionRename } from './collections.ts'
import { memoryGet, memoryMultiGet } from './memory-get.ts'
import { memoryQuery, memorySearch, memoryVsearch } from './memory-search.ts'
import { memoryStatus } from './memory-status.ts'
import { embed, memoryUpdate } from './memory-update.ts'
import { memoryWrite } from './memory-write.ts'
import type { Operation } from './operation.ts'
import { listProjects, removeProject } from './projects.ts'
import { proposeDecision } from './propose-decision.ts'
import { questions, questionsMigrate } from './questions.ts'
import { repair } from './repair.ts'
import { restore } from './restore.ts'
import { searchDecisions } from './search-decisions.ts'
import { setup } from './setup.ts'
import { status } from './status.ts'
import { telemetryStatus } from './telemetry.ts'
import { updateState } from './update-state.ts'
import { verify } from './verify.ts'
import { watch } from './watch.ts'

/** Everything Ken can do, in the order it is shown. */
export const OPERATIONS = [
  getContext, getRawFile, listDecisions, getDecision, diffSinceLastSession, searchDecisions, checkDecision, proposeDecision, flagQuestion, updateState, guard, listProjects,
  init, adopt, setup, agentsMd, demo, status, note, questions, questionsMigrate, graph, log, restore, journal, doctor, repair, verify, removeProject,
  importAdr, importMemoryBank, importNauro, exportAdr,
  configList, configGet, configSet, configUnset, telemetryStatus,
  memorySearch, memoryVsearch, memoryQuery, memoryGet, memoryMultiGet, memoryWrite, memoryStatus, memoryUpdate,
  embed, collectionAdd, collectionRemove, collectionRename, collectionList,
  harvest, watch, forget,
] as unknown as readonly Operation[]
