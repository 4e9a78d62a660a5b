import { requestTimeouts } from '#server/infra/db/index.ts'
import { usualTimes } from '#server/times.ts'
import { patientTimeouts, patientTimes } from '../patient-times.ts'

// Only for a process of its own: a module that workers of tests share is not to be changed.
Object.assign(requestTimeouts, patientTimeouts)
Object.assign(usualTimes, patientTimes)
