import { describeJobs } from './contract/jobs.contract.ts'
import { openMemoryJobs } from './memory-jobs.ts'

describeJobs('memory', async (clock) => openMemoryJobs(clock))
