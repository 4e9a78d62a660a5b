import { defineContentScript } from 'wxt/utils/define-content-script'
import { poshmarkClues } from '../platforms/poshmark/selectors.ts'
import { lendHands } from '../scrape/hands.ts'

export default defineContentScript({
  matches: ['https://poshmark.com/*'],
  main: (page) => lendHands(page, poshmarkClues),
})
