import { defineContentScript } from 'wxt/utils/define-content-script'
import { assistWithTasks } from '#extension/content/form-filler/task-assistant.ts'
import { runPageFetcher } from '#extension/content/scraper/page-fetcher.ts'
import { poshmarkForm } from '#extension/platforms/poshmark/form.ts'
import { poshmarkProbe } from '#extension/platforms/poshmark/selectors.ts'

export default defineContentScript({
  matches: ['https://poshmark.com/*'],
  main(page) {
    void runPageFetcher(page, poshmarkProbe)
    void assistWithTasks(page, poshmarkProbe, poshmarkForm)
  },
})
