import { defineContentScript } from 'wxt/utils/define-content-script'
import { assistWithTasks } from '#extension/content/form-filler/task-assistant.ts'
import { runPageFetcher } from '#extension/content/scraper/page-fetcher.ts'
import { mercariForm } from '#extension/platforms/mercari/form.ts'
import { mercariProbe } from '#extension/platforms/mercari/page-probe.ts'

export default defineContentScript({
  matches: ['https://www.mercari.com/*'],
  main(page) {
    void runPageFetcher(page, mercariProbe)
    void assistWithTasks(page, mercariProbe, mercariForm)
  },
})
