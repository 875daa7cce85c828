import { CoachPortrait } from "./art/coach-portrait";

export type CoachData = { uid: string; name: string; role?: string; text?: string; href?: string };

type CoachCardProps = { coach: CoachData; level?: 2 | 3 };

export function CoachCard({ coach, level = 3 }: CoachCardProps) {
  const { uid, name, role, text, href } = coach;
  const Name = level === 2 ? "h2" : "h3";
  return (
    <div className="coach">
      <CoachPortrait uid={uid} />
      <div>
        <Name className="coach__name">{href ? <a href={href}>{name}</a> : name}</Name>
        {role && <p className="coach__role">{role}</p>}
        {text && <p className="coach__text">{text}</p>}
      </div>
    </div>
  );
}

export function CoachList({ coaches, level }: { coaches: CoachData[]; level?: 2 | 3 }) {
  return (
    <ul className="coaches">
      {coaches.map((coach) => (
        <li key={coach.uid}>
          <CoachCard coach={coach} level={level} />
        </li>
      ))}
    </ul>
  );
}
