/** How long the browser may take to fetch the file from memory, in milliseconds. */
const fetchTime = 10_000;

/** Makes the browser download a value as a JSON file. */
export function saveFile(name: string, value: unknown): void {
  const file = new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), fetchTime);
}
