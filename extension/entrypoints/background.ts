import '../worker/no-eval.ts'
import { defineBackground } from 'wxt/utils/define-background'
import { startWorker } from '../worker/start-worker.ts'

export default defineBackground(() => startWorker())
