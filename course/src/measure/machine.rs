//! The machine that measures, and what else it does meanwhile. All of it is read from `/proc` and
//! `/sys`; what is not there is not known, and no fault.

use std::fs;
use std::thread;

use super::record::Machine;

/// The processors' time so far, in ticks, and this program's part of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Busy {
    all: u64,
    used: u64,
    stolen: u64,
    own: u64,
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// One line of a file, without its line end.
fn line(path: &str) -> Option<String> {
    let text = read(path);
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// How many programs wanted to run, in the last 1, 5 and 15 minutes.
pub(crate) fn load() -> Vec<f64> {
    let load = read("/proc/loadavg");
    load.split_whitespace()
        .take(3)
        .filter_map(|load| load.parse().ok())
        .collect()
}

pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The machine, with the load before the run.
pub(crate) fn machine(load_before: Vec<f64>) -> Machine {
    let cpu = read("/proc/cpuinfo");
    let release = read("/etc/os-release");
    Machine {
        cpu: field(&cpu, "model name").unwrap_or("unknown").to_owned(),
        cores: cores(),
        memory_mib: field(&read("/proc/meminfo"), "MemTotal")
            .and_then(|total| total.split_whitespace().next()?.parse::<u64>().ok())
            .map_or(0, |kib| kib / 1024),
        kernel: format!(
            "{} {}",
            line("/proc/sys/kernel/ostype").unwrap_or_else(|| std::env::consts::OS.to_owned()),
            line("/proc/sys/kernel/osrelease").unwrap_or_else(|| "of unknown release".to_owned())
        ),
        os: release
            .lines()
            .find_map(|line| line.strip_prefix("PRETTY_NAME="))
            .map_or_else(
                || std::env::consts::OS.to_owned(),
                |name| name.replace('"', ""),
            ),
        governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        virtual_: hypervisor(&cpu),
        load_before,
        load_after: Vec::new(),
    }
}

/// What stands behind a name and a colon.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

/// The maker of the virtual machine, if it is one.
fn hypervisor(cpuinfo: &str) -> Option<String> {
    let flags = field(cpuinfo, "flags")?;
    if !flags.split_whitespace().any(|flag| flag == "hypervisor") {
        return None;
    }
    let vendor = line("/sys/class/dmi/id/sys_vendor").unwrap_or_default();
    let product = line("/sys/class/dmi/id/product_name").unwrap_or_default();
    let named = format!("{vendor} {product}");
    let known = [
        ("QEMU", "kvm"),
        ("KVM", "kvm"),
        ("VMware", "vmware"),
        ("VirtualBox", "virtualbox"),
        ("Microsoft", "hyper-v"),
        ("Xen", "xen"),
    ];
    let known = known.iter().find(|(name, _)| named.contains(name));
    let named = named.trim();
    Some(match (known, named) {
        (Some((_, kind)), _) => (*kind).to_owned(),
        (None, "") => "of unknown make".to_owned(),
        (None, named) => named.to_owned(),
    })
}

impl Busy {
    pub(crate) fn now() -> Self {
        Self::parse(&read("/proc/stat"), &read("/proc/self/stat"))
    }

    fn parse(stat: &str, own: &str) -> Self {
        let all: Vec<u64> = stat
            .lines()
            .next()
            .into_iter()
            .flat_map(str::split_whitespace)
            .skip(1)
            .take(8) // user, nice, system, idle, iowait, irq, softirq, steal
            .filter_map(|ticks| ticks.parse().ok())
            .collect();
        let sum: u64 = all.iter().sum();
        let at = |index: usize| all.get(index).copied().unwrap_or(0);
        // Behind the program's name, which may hold anything: user and system, its own and those of
        // the children that have ended.
        let own = own.rsplit_once(')').map_or("", |(_, rest)| rest);
        let own: u64 = own
            .split_whitespace()
            .skip(11)
            .take(4)
            .filter_map(|ticks| ticks.parse::<u64>().ok())
            .sum();
        Self {
            all: sum,
            used: sum - at(3) - at(4),
            stolen: at(7),
            own,
        }
    }

    /// The shares of the processors' time since then that others used, and that the hypervisor took.
    #[expect(clippy::cast_precision_loss, reason = "ticks of one run")]
    fn since(&self, before: &Self) -> (f64, f64) {
        let all = self.all.saturating_sub(before.all).max(1) as f64;
        let stolen = self.stolen.saturating_sub(before.stolen);
        let used = self.used.saturating_sub(before.used);
        let others = used.saturating_sub(self.own.saturating_sub(before.own) + stolen);
        (others as f64 / all, stolen as f64 / all)
    }
}

/// What may have disturbed a run.
#[expect(clippy::cast_precision_loss, reason = "a few processors")]
pub(crate) fn noise(machine: &Machine, before: &Busy, after: &Busy) -> Vec<String> {
    let cores = machine.cores;
    let half = cores as f64 / 2.0;
    let mut noise = Vec::new();
    if let Some(load) = machine.load_before.first().filter(|&&load| load > half) {
        noise.push(format!("load {load:.1} before the run on {cores} cores"));
    }
    // The run is one of those that wanted to run.
    if let Some(load) = machine
        .load_after
        .first()
        .filter(|&&load| load > half + 1.0)
    {
        noise.push(format!("load {load:.1} after the run on {cores} cores"));
    }
    let (others, stolen) = after.since(before);
    if others > 0.1 {
        let share = others * 100.0;
        noise.push(format!(
            "other programs used {share:.0} % of the processors meanwhile"
        ));
    }
    if stolen > 0.01 {
        let share = stolen * 100.0;
        noise.push(format!(
            "the hypervisor took {share:.0} % of the processors meanwhile"
        ));
    }
    if let Some(governor) = machine.governor.as_ref().filter(|it| *it != "performance") {
        noise.push(format!(
            "the processors' governor is {governor}: their speed may change"
        ));
    }
    noise
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet() -> Machine {
        let mut machine = machine(vec![0.2, 0.1, 0.1]);
        machine.cores = 2;
        machine.load_after = vec![1.4, 0.5, 0.2];
        machine.governor = None;
        machine
    }

    fn busy(stat: &str, own: &str) -> Busy {
        Busy::parse(&format!("cpu  {stat} 0 0\ncpu0 1 2 3\n"), own)
    }

    #[test]
    fn a_quiet_machine_makes_no_noise() {
        let before = busy(
            "100 0 50 1000 10 0 0 5",
            "1 (a) b) S 1 1 1 0 -1 0 0 0 0 0 10 5 20 10 0",
        );
        let after = busy(
            "190 0 60 1090 10 0 0 5",
            "1 (a) b) S 1 1 1 0 -1 0 0 0 0 0 20 5 105 10 0",
        );
        assert_eq!(before.own, 45);
        assert_eq!(noise(&quiet(), &before, &after), Vec::<String>::new());
    }

    #[test]
    fn what_disturbs_is_named() {
        let mut machine = quiet();
        machine.load_before = vec![4.1, 4.0, 3.0];
        machine.load_after = vec![2.5, 2.0, 2.0];
        machine.governor = Some("powersave".to_owned());
        let own = "1 (a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 0";
        let after = busy("60 0 0 30 0 0 0 10", own);
        let said = noise(&machine, &busy("0 0 0 0 0 0 0 0", own), &after);
        assert_eq!(
            said,
            [
                "load 4.1 before the run on 2 cores",
                "load 2.5 after the run on 2 cores",
                "other programs used 60 % of the processors meanwhile",
                "the hypervisor took 10 % of the processors meanwhile",
                "the processors' governor is powersave: their speed may change",
            ]
        );
    }

    #[test]
    fn a_virtual_machine_says_so() {
        assert_eq!(hypervisor("flags\t\t: fpu vme\n"), None);
        assert!(hypervisor("flags\t\t: fpu hypervisor vme\n").is_some());
    }
}
