import { createText } from './create-text.ts'
import { shelfMessages } from './en/shelf.ts'

/** Messages of labels, scanning and the shelf check, apart from the others, so that the app opens without them. */
export const { text: shelfText } = createText(shelfMessages)
