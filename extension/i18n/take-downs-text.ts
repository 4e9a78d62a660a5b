import { createText } from './create-text.ts'
import { takeDownsMessages } from './en/take-downs.ts'

/** Messages of the page about automatic take-downs, which is loaded when it is opened. */
export const { text: takeDownsText } = createText(takeDownsMessages)
