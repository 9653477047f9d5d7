export default function DevKit() {
  return <main />;
}
