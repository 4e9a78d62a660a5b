import { createText } from './create-text.ts'
import { checksMessages } from './en/checks.ts'

/** Messages of the screen of findings, apart from the others, so that the app opens without them. */
export const { text: checksText } = createText(checksMessages)
