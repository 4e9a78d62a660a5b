import { defineContentScript } from 'wxt/utils/define-content-script'
import { assistWithTasks } from '#extension/content/form-filler/task-assistant.ts'
import { runPageFetcher } from '#extension/content/scraper/page-fetcher.ts'
import { depopForm } from '#extension/platforms/depop/form.ts'
import { depopProbe } from '#extension/platforms/depop/page-probe.ts'

export default defineContentScript({
  matches: ['https://www.depop.com/*'],
  main(page) {
    void runPageFetcher(page, depopProbe)
    void assistWithTasks(page, depopProbe, depopForm)
  },
})
