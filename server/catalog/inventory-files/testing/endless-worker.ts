/** Reads a file without end. */
export default function run(): never {
  for (;;);
}
