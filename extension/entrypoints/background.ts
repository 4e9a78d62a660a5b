import '#extension/background/no-eval.ts'
import { defineBackground } from 'wxt/utils/define-background'
import { startWorker } from '#extension/background/start-worker.ts'

export default defineBackground(startWorker)
